const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const NINE = 0x39;

/** Takes text and a position; returns the position of the next character that is not JSON white space (RFC 8259 section 2). */
export const skipSpace = (text: string, from: number): number => {
  let i = from;
  for (;;) {
    const unit = text.charCodeAt(i);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return i;
    i++;
  }
};

const isHexDigit = (unit: number): boolean =>
  (unit >= ZERO && unit <= NINE) || (unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66);

const isSimpleEscape = (unit: number): boolean =>
  unit === QUOTE || unit === BACKSLASH || unit === 0x2f || 'bfnrt'.includes(String.fromCharCode(unit));

const failedAt = (position: number): number => -1 - position;

/**
 * Takes text and the position of an opening quote; returns the position after the closing quote of the string token (RFC 8259 section 7),
 * or −1 − p where p is the position that breaks it (p = text.length when the text ends first). Surrogates are not judged.
 */
export const scanString = (text: string, start: number): number => {
  let i = start + 1;
  for (;;) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) return i + 1;
    if (!(unit >= 0x20)) return failedAt(Math.min(i, text.length));
    if (unit !== BACKSLASH) {
      i++;
      continue;
    }
    if (i + 1 >= text.length) return failedAt(text.length);
    const escaped = text.charCodeAt(i + 1);
    if (isSimpleEscape(escaped)) {
      i += 2;
      continue;
    }
    if (escaped !== 0x75) return failedAt(i);
    for (let k = i + 2; k < i + 6; k++) {
      if (k >= text.length) return failedAt(text.length);
      if (!isHexDigit(text.charCodeAt(k))) return failedAt(i);
    }
    i += 6;
  }
};

/**
 * Takes text and the position of an opening quote; returns the position after the closing one when nothing between them is escaped, so
 * that the token without its quotes is its value; else −1.
 */
export const plainStringEnd = (text: string, start: number): number => {
  let i = start + 1;
  let unit = text.charCodeAt(i);
  while (unit >= 0x20 && unit !== QUOTE && unit !== BACKSLASH) unit = text.charCodeAt(++i);
  return unit === QUOTE ? i + 1 : -1;
};

const afterDigits = (text: string, from: number): number => {
  let i = from;
  for (;;) {
    const unit = text.charCodeAt(i);
    if (!(unit >= ZERO && unit <= NINE)) return i;
    i++;
  }
};

/**
 * Takes text and the position of `-` or a digit; returns the position after the longest number token (RFC 8259 section 6), or −1 − p where
 * p is the position that breaks it (p = text.length when the text ends first).
 */
export const scanNumber = (text: string, start: number): number => {
  let i = text.charCodeAt(start) === 0x2d ? start + 1 : start;
  const integer = i;
  i = text.charCodeAt(i) === ZERO ? i + 1 : afterDigits(text, i);
  if (i === integer) return failedAt(i);
  if (text.charCodeAt(i) === 0x2e) {
    const fraction = i + 1;
    i = afterDigits(text, fraction);
    if (i === fraction) return failedAt(i);
  }
  if ((text.charCodeAt(i) | 0x20) === 0x65) {
    const sign = text.charCodeAt(i + 1);
    const exponent = sign === 0x2b || sign === 0x2d ? i + 2 : i + 1;
    i = afterDigits(text, exponent);
    if (i === exponent) return failedAt(i);
  }
  return i;
};

/** The three literal names of RFC 8259 section 3. */
export const LITERALS = { true: true, false: false, null: null } as const;
export type Literal = keyof typeof LITERALS;

/** Takes text and a position; returns the literal name that starts there, or null. */
export const literalAt = (text: string, start: number): Literal | null =>
  text.startsWith('true', start)
    ? 'true'
    : text.startsWith('false', start)
      ? 'false'
      : text.startsWith('null', start)
        ? 'null'
        : null;
