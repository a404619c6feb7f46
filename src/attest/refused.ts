export type RefusalCode = 'unauthenticated' | 'forbidden' | 'invalid_request' | 'quota_exceeded' | 'unavailable';

/** The signer refused a call: a code for programs, and in words what was refused and what to do. Nothing of it was done. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: RefusalCode;
  /** The words without the code. */
  readonly detail: string;

  constructor(code: RefusalCode, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
  }
}

export const forbidden = (detail: string): Refused => new Refused('forbidden', detail);
export const invalid = (detail: string): Refused => new Refused('invalid_request', detail);
