import { config } from 'zod';

// Without this zod tries whether it may compile code from text; the content policy refuses, and the browser logs it.
config({ jitless: true });
