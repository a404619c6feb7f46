import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** 256 bits of randomness as 64 hex digits. */
export const newToken = (): string => randomBytes(32).toString('hex');

/** A token as it is kept: a digest alone, with which a guess is compared in constant time. */
export class HeldToken {
  private readonly digest: Buffer;

  constructor(token: string) {
    this.digest = digestOf(token);
  }

  is(guess: string): boolean {
    return timingSafeEqual(this.digest, digestOf(guess));
  }
}

/** Who holds which token. A guess is compared with all of them: whose it nearly is does not show in the time of the answer. */
export class Tokens<Holder> {
  private readonly held: { readonly token: HeldToken; readonly holder: Holder }[] = [];

  add(token: string, holder: Holder): void {
    this.held.push({ token: new HeldToken(token), holder });
  }

  /** The holder of a token, or null. */
  find(guess: string): Holder | null {
    let found: Holder | null = null;
    for (const one of this.held) if (one.token.is(guess)) found = one.holder;
    return found;
  }
}
