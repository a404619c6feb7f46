import { randomBytes } from 'node:crypto';

/** 128 bits of randomness as 32 hex digits. */
export const newId = (): string => randomBytes(16).toString('hex');
