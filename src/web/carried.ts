import { CARRIED, type CarriedRole, carriedId } from '../report/html/html.ts';

/** The bytes of base64 text; of a text that is none, no bytes: the verifier then says that the file is empty. */
const bytesOf = (base64: string): Uint8Array => {
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    return new Uint8Array();
  }
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
};

export type Carried = { readonly [R in CarriedRole]?: Uint8Array };

const collected = (textOf: (id: string) => string | null): Carried =>
  Object.fromEntries(
    CARRIED.flatMap((role) => {
      const text = textOf(carriedId(role));
      return text === null ? [] : [[role, bytesOf(text)]];
    }),
  );

const elementOf = (id: string): HTMLElement | null => document.getElementById(id);

export const isEvidenceCarried = (): boolean => CARRIED.every((role) => elementOf(carriedId(role)) !== null);

/** The evidence that this page carries. */
export const carriedHere = (): Carried => collected((id) => elementOf(id)?.textContent ?? null);

/** The evidence that the text of another page carries; that page is searched, never opened. */
export const carriedBy = (html: string): Carried =>
  collected((id) => {
    const start = html.indexOf(` id="${id}">`);
    if (start < 0) return null;
    const from = start + ` id="${id}">`.length;
    return html.slice(from, html.indexOf('<', from));
  });
