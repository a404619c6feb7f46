/** How a reader takes a host as it is written: the reader, and the host it comes to (null: none). */
export type Reading = { readonly by: string; readonly host: string | null };
export type Spelling = {
  /** Where it is written: as the host that an observer reports, or in the URL of a call. */
  readonly as: 'effect' | 'url';
  readonly spelled: string;
  /** The host that the message claims. */
  readonly claimed: string;
  readonly readings: readonly Reading[];
};

const INET = 'inet_aton (POSIX): a leading 0 is octal, 0x hexadecimal, the last number fills what is left';
const DECIMAL = 'a reader of decimal quads that drops zeros (the macOS resolver)';
const PADDED = 'a reader that fills a short quad with zeros at its end';
const NAME = 'a reader that takes it for a name';
const IDNA2003 = 'IDNA 2003 (RFC 3490)';
const IDNA2008 = 'IDNA 2008 (RFC 5891)';
const BROWSER = 'a browser (WHATWG URL)';
const URLLIB = "Python's urllib (RFC 3986)";
const TAIL = 'a reader that takes what follows the last @';
const C_STRING = 'a reader that ends a text at its first NUL';

const row = (
  as: Spelling['as'],
  spelled: string,
  claimed: string,
  ...readings: [string, string | null][]
): Spelling => ({
  as,
  spelled,
  claimed,
  readings: readings.map(([by, host]) => ({ by, host })),
});

/** Spellings of hosts that are told as a host which not every reader comes to. Labels of L16 are made from this table alone. */
export const SPELLINGS: readonly Spelling[] = [
  row('effect', '0127.0.0.1', '127.0.0.1', [INET, '87.0.0.1'], [DECIMAL, '127.0.0.1']),
  row('effect', '127.0.0.010', '127.0.0.10', [INET, '127.0.0.8'], [DECIMAL, '127.0.0.10']),
  row('effect', '010.0.0.1', '10.0.0.1', [INET, '8.0.0.1'], [DECIMAL, '10.0.0.1']),
  row('effect', '192.0250.0.1', '192.250.0.1', [INET, '192.168.0.1'], [DECIMAL, '192.250.0.1']),
  row('effect', '1.2.3', '1.2.3.0', [INET, '1.2.0.3'], [PADDED, '1.2.3.0']),
  row('effect', '127.1', '127.1.0.0', [INET, '127.0.0.1'], [PADDED, '127.1.0.0']),
  row('effect', '0x7f.1', '127.0.0.1', [INET, '127.0.0.1'], [NAME, '0x7f.1']),
  row('effect', 'faß.example', 'fass.example', [IDNA2003, 'fass.example'], [IDNA2008, 'xn--fa-hia.example']),
  row('effect', 'faß.example', 'xn--fa-hia.example', [IDNA2003, 'fass.example'], [IDNA2008, 'xn--fa-hia.example']),
  row('effect', 'ａpi.example', 'api.example', [IDNA2003, 'api.example'], [IDNA2008, null]),
  row('effect', 'api.example%00.other.example', 'api.example', [C_STRING, 'api.example'], [NAME, null]),
  row('effect', 'api.example@other.example', 'api.example', [TAIL, 'other.example'], [NAME, null]),
  row('url', 'http://api.example\\@other.example/', 'api.example', [BROWSER, 'api.example'], [URLLIB, 'other.example']),
  row('url', 'http://api.example@other.example/', 'api.example', [BROWSER, 'other.example'], [URLLIB, 'other.example']),
  row('url', 'http:other.example//api.example/', 'api.example', [BROWSER, 'other.example'], [URLLIB, null]),
];

/** Every reading of a spelling; one that the table does not hold is read as it stands. */
export const readingsOf = (spelled: string): readonly Reading[] =>
  SPELLINGS.find((one) => one.spelled === spelled)?.readings ?? [{ by: 'as it stands', host: spelled }];

/** A file that is written, and the path that is claimed for it: two names of two files. */
export type PathSpelling = { readonly written: string; readonly claimed: string; readonly why: string };
/** Below the folder that the executor writes in; a claim beginning with a drive stands as it is. */
export const PATHS: readonly PathSpelling[] = [
  { written: 'out/Report.md', claimed: 'out/report.md', why: 'case' },
  { written: 'out/cafe\u0301.md', claimed: 'out/caf\u00e9.md', why: 'composed for decomposed (Unicode NFC and NFD)' },
  { written: 'out/notes.md ', claimed: 'out/notes.md', why: 'a space at the end' },
  { written: 'out/plan.md.', claimed: 'out/plan.md', why: 'a dot at the end' },
  { written: 'out/a%2Eb.md', claimed: 'out/a.b.md', why: 'percent encoding' },
  { written: 'out\\deep.md', claimed: 'out/deep.md', why: 'a backslash, which is no separator on POSIX' },
  { written: 'out/p\u0430th.md', claimed: 'out/path.md', why: 'a Cyrillic letter' },
  { written: 'out/zero\u200b.md', claimed: 'out/zero.md', why: 'a character without width' },
  { written: 'out/up.md', claimed: 'out/../up.md', why: 'a step up, which leads elsewhere' },
  { written: 'out/drive.md', claimed: 'C:\\out\\drive.md', why: 'a drive' },
];
