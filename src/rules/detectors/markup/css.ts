/** The URLs a style sheet or style attribute fetches: one linear pass over the tokens of CSS Syntax 3. */

/** Functions whose strings are URLs (CSS Values 4, CSS Images 4). */
const URL_FUNCTIONS: ReadonlySet<string> = new Set(['url', 'src', 'image', 'image-set', '-webkit-image-set']);

const isSpace = (c: string | undefined): boolean => c === ' ' || c === '\t' || c === '\n' || c === '\r' || c === '\f';
const isHex = (c: string | undefined): boolean => c !== undefined && /^[0-9a-fA-F]$/.test(c);
/** CSS Syntax 4.2, ident code point. */
const isNamePart = (c: string): boolean =>
  (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c === '_' || c === '-' || c >= '\x80';

class Reader {
  at = 0;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  /** CSS Syntax 4.3.7: the character an escape stands for; the reader is behind the backslash. */
  escape(): string {
    const start = this.at;
    while (this.at - start < 6 && isHex(this.text[this.at])) this.at++;
    if (this.at === start) return this.text[this.at++] ?? '\ufffd';
    const code = Number.parseInt(this.text.slice(start, this.at), 16);
    if (isSpace(this.text[this.at])) this.at++;
    return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  }

  /** Reads while `more` accepts, decoding escapes; an escaped newline is dropped, as strings do. */
  run(more: (c: string) => boolean): string {
    const parts: string[] = [];
    let start = this.at;
    while (this.at < this.text.length && (this.text[this.at] === '\\' || more(this.text[this.at]!))) {
      if (this.text[this.at] !== '\\') {
        this.at++;
        continue;
      }
      parts.push(this.text.slice(start, this.at++));
      if (this.text[this.at] === '\n') this.at++;
      else parts.push(this.escape());
      start = this.at;
    }
    parts.push(this.text.slice(start, this.at));
    return parts.join('');
  }

  skipSpace(): void {
    while (isSpace(this.text[this.at])) this.at++;
  }
}

/** @returns the references as written (escapes decoded), in order; `@namespace` names, which nothing fetches, left out. */
export const cssUrls = (css: string): readonly string[] => {
  const urls: string[] = [];
  const reader = new Reader(css);
  let depth = 0;
  const urlFunctions: number[] = [];
  let rule: string | null = null;
  const found = (url: string) => {
    if (rule !== 'namespace') urls.push(url);
    if (rule === 'import') rule = null;
  };
  while (reader.at < css.length) {
    const c = css[reader.at]!;
    if (c === '/' && css[reader.at + 1] === '*') {
      const end = css.indexOf('*/', reader.at + 2);
      reader.at = end === -1 ? css.length : end + 2;
    } else if (c === '"' || c === "'") {
      reader.at++;
      const value = reader.run((d) => d !== c && d !== '\n');
      reader.at++;
      if (rule === 'import' || urlFunctions.at(-1) === depth) found(value);
    } else if (isNamePart(c) || c === '\\' || c === '@') {
      if (c === '@') reader.at++;
      const name = reader.run(isNamePart).toLowerCase();
      if (c === '@') rule = name;
      else if (css[reader.at] === '(') {
        reader.at++;
        depth++;
        if (URL_FUNCTIONS.has(name)) urlFunctions.push(depth);
        if (name === 'url') reader.skipSpace();
        const bare = name === 'url' && css[reader.at] !== '"' && css[reader.at] !== "'";
        if (bare) found(reader.run((d) => d !== ')' && !isSpace(d)));
      }
    } else {
      reader.at++;
      if (c === '(') depth++;
      if (c === ')' && depth > 0) {
        if (urlFunctions.at(-1) === depth) urlFunctions.pop();
        depth--;
      }
      if (c === ';' || c === '{') rule = null;
    }
  }
  return urls;
};
