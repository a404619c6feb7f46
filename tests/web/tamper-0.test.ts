import { tamperSuite } from './tamper-suite.ts';

tamperSuite(0, 2);
