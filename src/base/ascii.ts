const { fromCharCode } = String;

/** Takes a stretch of ASCII; returns its text. Short texts are read by the million: no decoder is asked for them. */
export const asciiText = (bytes: Uint8Array, start: number, end: number): string => {
  let text = '';
  let at = start;
  for (; at + 8 <= end; at += 8) {
    text += fromCharCode(
      bytes[at]!,
      bytes[at + 1]!,
      bytes[at + 2]!,
      bytes[at + 3]!,
      bytes[at + 4]!,
      bytes[at + 5]!,
      bytes[at + 6]!,
      bytes[at + 7]!,
    );
  }
  for (; at < end; at++) text += fromCharCode(bytes[at]!);
  return text;
};

/** The bytes of a text that is ASCII. */
export const asciiBytes = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
};

/** Whether these characters stand at a position; only ASCII is known to. */
export const standsAscii = (bytes: Uint8Array, start: number, text: string): boolean => {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== bytes[start + at] || unit >= 0x80) return false;
  }
  return true;
};
