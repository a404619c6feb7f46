const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

// Controls (ANSI and C1 escapes), format characters (bidi overrides), separators, lone surrogates, and what renders as nothing.
// Made where it is asked for: to collect these characters takes as long as the rest of a help, and most text is ASCII.
const hidden = (): RegExp => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const PRINTABLE = /^[ -~]*$/;
const PRINTABLE_LINES = /^[\n -~]*$/;

/**
 * Takes any text of a stranger; returns one line in which every character that could move the cursor, reorder or hide text is written
 * as `\n`, `\x1b` or `\u{202e}`.
 */
export const neutralise = (text: string): string =>
  PRINTABLE.test(text)
    ? text
    : text.replace(hidden(), (character) => {
        const code = character.codePointAt(0)!;
        const hex = code.toString(16);
        return NAMED[character] ?? (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`);
      });

/** Takes any text; returns it in pieces, each either all of such characters or free of them. */
export const hiddenRuns = (text: string): readonly { readonly text: string; readonly hidden: boolean }[] =>
  text
    .split(new RegExp(`(${hidden().source}+)`, 'u'))
    .map((piece, at) => ({ text: piece, hidden: at % 2 === 1 }))
    .filter((piece) => piece.text !== '');

/** Takes JSON text; returns text of the same value in which such characters inside strings are written as `\u202e`. */
export const neutraliseJson = (json: string): string =>
  PRINTABLE_LINES.test(json)
    ? json
    : json.replace(hidden(), (character) =>
        character === '\n'
          ? character
          : Array.from(
              { length: character.length },
              (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
            ).join(''),
      );
