import { isWellFormed } from '../base/utf8.ts';

/** Shorter values are ordinary words too often: replacing them everywhere would destroy evidence. */
const MIN_LENGTH = 6;
const MAX_SECRETS = 512;
const MIN_BASE64 = 8;

const base64Forms = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // Only whole letters that no neighbouring byte can change; where the secret stands in the middle of a blob is unknown.
    const stable = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return stable.length < MIN_BASE64 ? [] : [stable, stable.replaceAll('+', '-').replaceAll('/', '_')];
  });
};

const formsOf = (secret: string): string[] => {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const encoded = encodeURIComponent(secret);
  const forms = [secret, escaped, escaped.replaceAll('/', '\\/'), encoded, encoded.replaceAll('%20', '+')];
  return [...new Set([...forms, ...base64Forms(secret)])];
};

const BUCKETS = 1 << 16;
const bucketAt = (text: string, at: number): number =>
  (text.charCodeAt(at) * 2_654_435 + text.charCodeAt(at + 1) * 40_503 + text.charCodeAt(at + 2) * 31) & (BUCKETS - 1);

/** Secret values seen so far, and every form in which they may stand in a body. One pass over a text, however many there are. */
export class SecretForms {
  readonly #secrets = new Map<string, readonly string[]>();
  /** Forms by their first MIN_LENGTH characters, the longest first. */
  readonly #byBeginning = new Map<string, string[]>();
  /** Marks where a form may begin; most places are passed over by this alone. */
  readonly #buckets = new Uint8Array(BUCKETS);

  /** Takes a value that must never be written down. Of more than 512 the one longest not seen is forgotten. */
  learn(secret: string, minLength = MIN_LENGTH): void {
    if (secret.length < Math.max(minLength, MIN_LENGTH) || !isWellFormed(secret)) return;
    const known = this.#secrets.get(secret);
    const forms = known ?? formsOf(secret);
    this.#secrets.delete(secret);
    this.#secrets.set(secret, forms);
    if (known) return;
    for (const form of forms) this.#add(form);
    if (this.#secrets.size > MAX_SECRETS) this.#forget(this.#secrets.keys().next().value!);
  }

  /** Takes text; returns it with every form of every known secret replaced, and how many were. */
  replace(text: string, by: string): { readonly text: string; readonly count: number } {
    let out = '';
    let done = 0;
    let count = 0;
    const last = text.length - MIN_LENGTH;
    for (let at = 0; at <= last; at++) {
      if (this.#buckets[bucketAt(text, at)] === 0) continue;
      const form = this.#byBeginning.get(text.slice(at, at + MIN_LENGTH))?.find((other) => text.startsWith(other, at));
      if (form === undefined) continue;
      out += text.slice(done, at) + by;
      done = at + form.length;
      at = done - 1;
      count++;
    }
    return count === 0 ? { text, count } : { text: out + text.slice(done), count };
  }

  #add(form: string): void {
    const beginning = form.slice(0, MIN_LENGTH);
    const same = this.#byBeginning.get(beginning) ?? [];
    this.#byBeginning.set(
      beginning,
      [...same, form].sort((a, b) => b.length - a.length),
    );
    this.#buckets[bucketAt(form, 0)] = 1;
  }

  #forget(secret: string): void {
    const forms = this.#secrets.get(secret) ?? [];
    this.#secrets.delete(secret);
    for (const form of forms) {
      const beginning = form.slice(0, MIN_LENGTH);
      const rest = [...(this.#byBeginning.get(beginning) ?? [])];
      rest.splice(rest.indexOf(form), 1);
      if (rest.length > 0) this.#byBeginning.set(beginning, rest);
      else this.#byBeginning.delete(beginning);
    }
  }
}
