export type RefusalCode = 'unauthenticated' | 'forbidden' | 'invalid_request' | 'quota_exceeded' | 'unavailable';

/** The signer refused a call: a code for programs, and in words what was refused and what to do. Nothing of it was done. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: RefusalCode;
  /** The words without the code. */
  readonly detail: string;

  /** `cause` is for whoever runs the signer: a caller is not told of it. */
  constructor(code: RefusalCode, detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, cause === undefined ? {} : { cause });
    this.code = code;
    this.detail = detail;
  }
}

export const forbidden = (detail: string): Refused => new Refused('forbidden', detail);
export const invalid = (detail: string): Refused => new Refused('invalid_request', detail);
