import { type Beside, CARRIED, type CarriedRole, carriedId, readBeside } from '../report/html/carried.ts';

/** The bytes of base64 text, by the browser, which is quick with fifty megabytes; null where it is none. */
const bytesOf = (base64: string): Uint8Array | null => {
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    return null;
  }
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
};

/** What a page carries, or why it is not what a page carries. */
export type Carried =
  | {
      readonly ok: true;
      readonly evidence: Readonly<Record<CarriedRole, Uint8Array>>;
      readonly beside: Beside;
    }
  | { readonly ok: false; readonly why: string };

const refused = (why: string): Carried => ({ ok: false, why });

const ALL = [...CARRIED, 'beside'] as const;

/** The text of each element of an id, which a page has once. */
type Texts = (id: string) => readonly string[];

/** Why no evidence can be taken from a page before any of it is decoded; null where nothing speaks against it. */
const misshapen = (texts: Texts): string | null => {
  for (const role of ALL) {
    const count = texts(carriedId(role)).length;
    if (count > 1)
      return `It carries ${count} elements named ${carriedId(role)}, and which of them is meant nobody can tell.`;
    if (count === 0 && role !== 'beside') return `It carries no ${role}.`;
  }
  return null;
};

const decoded = (texts: Texts): Carried => {
  const why = misshapen(texts);
  if (why !== null) return refused(why);
  const [bundle, receipt, profile, beside] = ALL.map((role) => {
    const [text] = texts(carriedId(role));
    return text === undefined ? undefined : bytesOf(text);
  });
  if (!bundle || !receipt || !profile || beside === null) {
    const role = ALL[[bundle, receipt, profile, beside].indexOf(null)];
    return refused(`What it carries as its ${role} is not base64.`);
  }
  const read = beside === undefined ? {} : readBeside(beside);
  return read === null
    ? refused('What it carries beside bundle, receipt and profile is not what a page carries there.')
    : { ok: true, evidence: { bundle, receipt, profile }, beside: read };
};

const here: Texts = (id) => [...document.querySelectorAll(`[id="${id}"]`)].map((element) => element.textContent ?? '');

/** Whether this page carries evidence at all: the largest is not carried. */
export const isEvidenceCarried = (): boolean => CARRIED.some((role) => here(carriedId(role)).length > 0);

/** Why this page can carry no evidence, told before any of it is decoded; else null. */
export const misshapenHere = (): string | null => misshapen(here);

export const carriedHere = (): Carried => decoded(here);

/** What this page carries beside its evidence, as far as it can be read: told before the evidence is asked for. */
export const besideHere = (): Beside => {
  const [text] = here(carriedId('beside'));
  const bytes = text === undefined ? null : bytesOf(text);
  return (bytes === null ? null : readBeside(bytes)) ?? {};
};

/** The evidence that the text of another page carries; that page is searched, never opened. */
export const carriedBy = (html: string): Carried =>
  decoded((id) =>
    html
      .split(` id="${id}">`)
      .slice(1)
      .map((rest) => rest.slice(0, rest.indexOf('<'))),
  );
