type Accepts = (code: number) => boolean;

/** A pattern as a tree: a character of a set, one after another, one of several, or a repetition (max null: without end). */
export type Node =
  | { readonly kind: 'one'; readonly accepts: Accepts }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly min: number; readonly max: number | null };

/** Why a pattern is outside the dialect; never leaves the compiler. */
export class PatternError extends Error {}

const MAX_REPEAT = 1000;
const MAX_DEPTH = 64;
const SPECIAL = new Set('\\^$.|?*+()[]{}');
const between =
  (low: string, high: string): Accepts =>
  (code) =>
    code >= low.codePointAt(0)! && code <= high.codePointAt(0)!;
const exactly = (character: string): Accepts => between(character, character);
const any =
  (...sets: readonly Accepts[]): Accepts =>
  (code) =>
    sets.some((accepts) => accepts(code));
const DIGIT = between('0', '9');
/** Python's dot leaves out the first alone, ECMAScript's all four. */
const LINE_ENDS = new Set([0x0a, 0x0d, 0x2028, 0x2029]);
const WORD = any(DIGIT, between('a', 'z'), between('A', 'Z'), exactly('_'));

/** A `$` that ends the pattern, with an even number of backslashes before it: each pair is a backslash that stands for itself. */
const endsWithAnchor = (source: string): boolean => /(?:^|[^\\])(?:\\\\)*\$$/.test(source);

class PatternParser {
  private at = 0;
  private readonly characters: readonly string[];

  constructor(source: string) {
    // The whole text must match, so an anchor around the whole pattern says nothing.
    this.characters = Array.from(endsWithAnchor(source) ? source.slice(0, -1) : source);
  }

  whole(): Node {
    this.take('^');
    const node = this.choice(1);
    if (this.at < this.characters.length) throw this.unexpected();
    return node;
  }

  private take(character: string): boolean {
    if (this.characters[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private unexpected(): PatternError {
    const character = this.characters[this.at];
    return new PatternError(
      character === undefined
        ? 'it ends too early'
        : `${JSON.stringify(character)} at character ${this.at} is outside the dialect`,
    );
  }

  private choice(depth: number): Node {
    if (depth > MAX_DEPTH) throw new PatternError(`it nests deeper than ${MAX_DEPTH}`);
    const options = [this.sequence(depth)];
    while (this.take('|')) options.push(this.sequence(depth));
    return options.length === 1 ? options[0]! : { kind: 'choice', options };
  }

  private sequence(depth: number): Node {
    const parts: Node[] = [];
    for (;;) {
      const next = this.characters[this.at];
      if (next === undefined || next === '|' || next === ')') return { kind: 'sequence', parts };
      parts.push(this.repeated(this.atom(depth)));
    }
  }

  private repeated(part: Node): Node {
    const [min, max] = this.take('*')
      ? [0, null]
      : this.take('+')
        ? [1, null]
        : this.take('?')
          ? [0, 1]
          : this.counts();
    if (min === 1 && max === 1) return part;
    // `a**` and `a+?` are read differently by different engines.
    if ('*+?{'.includes(this.characters[this.at] ?? ' ')) throw this.unexpected();
    return { kind: 'repeat', part, min, max };
  }

  /** `{m}`, `{m,}` or `{m,n}`; without one, once. */
  private counts(): readonly [number, number | null] {
    if (!this.take('{')) return [1, 1];
    const min = this.count();
    const max = this.take(',') ? (this.characters[this.at] === '}' ? null : this.count()) : min;
    if (!this.take('}') || (max !== null && max < min)) throw this.unexpected();
    return [min, max];
  }

  private count(): number {
    let digits = '';
    while (/^[0-9]$/.test(this.characters[this.at] ?? '') && digits.length < 5) digits += this.characters[this.at++];
    if (digits === '' || Number(digits) > MAX_REPEAT) throw this.unexpected();
    return Number(digits);
  }

  private atom(depth: number): Node {
    if (this.take('(')) {
      if (this.take('?') && !this.take(':')) throw this.unexpected();
      const inner = this.choice(depth + 1);
      if (!this.take(')')) throw this.unexpected();
      return inner;
    }
    if (this.take('[')) return { kind: 'one', accepts: this.set() };
    if (this.take('.')) return { kind: 'one', accepts: (code) => !LINE_ENDS.has(code) };
    return { kind: 'one', accepts: this.character(SPECIAL) };
  }

  /** One character that stands for itself, or an escape. */
  private character(special: ReadonlySet<string>): Accepts {
    if (this.take('\\')) {
      if (this.take('d')) return DIGIT;
      if (this.take('w')) return WORD;
      const escaped = this.characters[this.at];
      if (escaped === undefined || !(SPECIAL.has(escaped) || '-/'.includes(escaped))) throw this.unexpected();
      this.at++;
      return exactly(escaped);
    }
    const plain = this.characters[this.at];
    if (plain === undefined || special.has(plain)) throw this.unexpected();
    this.at++;
    return exactly(plain);
  }

  private set(): Accepts {
    const negated = this.take('^');
    const sets: Accepts[] = [];
    while (!this.take(']')) sets.push(this.range());
    if (sets.length === 0) throw this.unexpected();
    const accepts = any(...sets);
    return negated ? (code) => !accepts(code) : accepts;
  }

  private range(): Accepts {
    const low = this.characters[this.at];
    const single = this.character(new Set('[]\\^'));
    // A hyphen is a range only between two plain characters; first or last it stands for itself.
    if (this.characters[this.at] !== '-' || this.characters[this.at + 1] === ']') return single;
    this.at++;
    const high = this.characters[this.at];
    if (low === undefined || high === undefined || '[]\\^'.includes(low) || '[]\\^'.includes(high))
      throw this.unexpected();
    if (low.codePointAt(0)! > high.codePointAt(0)!) throw this.unexpected();
    this.at++;
    return between(low, high);
  }
}

/** Takes a pattern; returns its tree. Throws PatternError outside the dialect of docs/PCM.md section 6. */
export const parsePattern = (source: string): Node => new PatternParser(source).whole();
