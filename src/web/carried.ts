import { CARRIED, type CarriedRole, carriedId } from '../report/html/html.ts';

/** The bytes of base64 text; null when it is none. */
const bytesOf = (base64: string): Uint8Array | null => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
};

export type Carried = Partial<Record<CarriedRole, Uint8Array>>;

const collected = (textOf: (id: string) => string | null): Carried =>
  Object.fromEntries(
    CARRIED.flatMap((role) => {
      const text = textOf(carriedId(role));
      const bytes = text === null ? null : bytesOf(text);
      return bytes === null ? [] : [[role, bytes]];
    }),
  );

/** The evidence that this page carries. */
export const carriedHere = (): Carried => collected((id) => document.getElementById(id)?.textContent ?? null);

/** The evidence that the text of another page carries; that page is searched, never opened. */
export const carriedBy = (html: string): Carried =>
  collected((id) => {
    const start = html.lastIndexOf(` id="${id}">`);
    if (start < 0) return null;
    const from = start + ` id="${id}">`.length;
    return html.slice(from, html.indexOf('<', from));
  });
