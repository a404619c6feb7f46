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

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Secret values seen so far, and every form in which they may stand in a body. */
export class SecretForms {
  readonly #forms = new Map<string, readonly string[]>();
  #pattern: RegExp | null = null;

  /** Takes a value that must never be written down. Of more than 512 the one longest not seen is forgotten. */
  learn(secret: string, minLength = MIN_LENGTH): void {
    if (secret.length < Math.max(minLength, MIN_LENGTH) || !isWellFormed(secret)) return;
    const known = this.#forms.get(secret);
    this.#forms.delete(secret);
    this.#forms.set(secret, known ?? formsOf(secret));
    if (known) return;
    if (this.#forms.size > MAX_SECRETS) this.#forms.delete(this.#forms.keys().next().value!);
    this.#pattern = null;
  }

  /** Takes text; returns it with every form of every known secret replaced, and how many were. */
  replace(text: string, by: string): { readonly text: string; readonly count: number } {
    if (this.#forms.size === 0) return { text, count: 0 };
    // An alternation of literals, longest first: nothing to backtrack into.
    this.#pattern ??= new RegExp(
      [...new Set([...this.#forms.values()].flat())]
        .sort((a, b) => b.length - a.length)
        .map(literal)
        .join('|'),
      'g',
    );
    let count = 0;
    const replaced = text.replace(this.#pattern, () => {
      count++;
      return by;
    });
    return { text: replaced, count };
  }
}
