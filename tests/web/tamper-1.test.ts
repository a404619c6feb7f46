import { tamperSuite } from './tamper-suite.ts';

tamperSuite(1, 2);
