import type { ReasonEntries, ReasonEntry } from './entry.ts';

type Told = Pick<ReasonEntry, 'title' | 'means' | 'not' | 'next'> &
  Partial<Pick<ReasonEntry, 'falsePositives' | 'techniques'>>;

const read = (told: Told) =>
  ({
    family: null,
    level: 'read',
    falsePositives: 'None: the byte at the stated offset either obeys the rule or does not.',
    techniques: [],
    ...told,
  }) as const;

const NOT_TAMPERING =
  'It does not mean that somebody altered the file: a bad transfer or a faulty program leaves the same trace.';
const ASK_AGAIN =
  'Compare the SHA-256 of the file with that of the copy it was made from, and get the file again from its custodian.';
const ASK_MAKER =
  'Keep the file as it is, look at the stated offset in a hex viewer, and ask who made the file which program wrote it.';

/** Why a file could not be read as a committed document (FORMAT sections 1 and 8a). */
export const READ_REASONS = {
  READ_EMPTY: read({
    title: 'The file is empty',
    means: 'The file holds no JSON value: no bytes at all, or white space only.',
    not: 'It does not mean that the incident had no records: a bundle without records is still a JSON object.',
    next: ASK_AGAIN,
  }),
  READ_TRUNCATED: read({
    title: 'The file ends too early',
    means: 'The text stops inside a value: a string, list or object that was opened is never closed.',
    not: NOT_TAMPERING,
    next: `${ASK_AGAIN} If the capture was killed, recover the bundle from its journal.`,
  }),
  READ_SYNTAX: read({
    title: 'The file is not JSON',
    means: 'The character at the stated offset cannot stand there under the JSON grammar (RFC 8259).',
    not: NOT_TAMPERING,
    next: ASK_MAKER,
  }),
  READ_INVALID_UTF8: read({
    title: 'The file is not UTF-8 text',
    means:
      'The bytes at the stated offset are not the UTF-8 encoding of any character (RFC 3629), so two programs could read two different texts.',
    not: 'It does not mean that a captured message was malformed: bytes of a message that are not UTF-8 are stored as base64.',
    next: ASK_MAKER,
  }),
  READ_BYTE_ORDER_MARK: read({
    title: 'The file starts with a byte-order mark',
    means:
      'The first three bytes are EF BB BF, an invisible mark that some editors put before text. The format has none.',
    not: 'It does not mean that any record was changed, only that the file is no longer byte for byte what was written.',
    next: 'Ask who opened and saved the file, and get the original. Do not remove the mark in the only copy.',
  }),
  READ_DUPLICATE_NAME: read({
    title: 'One object names the same member twice',
    means:
      'Two members of one object have the same name once escapes are resolved. Programs differ in which one they keep, so the same bytes could be shown with two meanings.',
    not: 'It does not say which of the two values is the true one.',
    next: 'Treat the file as possibly made to be read in two ways, and ask who made it for the original.',
    techniques: ['CWE-436', 'CWE-694'],
  }),
  READ_UNPAIRED_SURROGATE: read({
    title: 'A string holds half a character',
    means:
      'An escape such as \\ud800 names one half of a surrogate pair without the other. It stands for no character, and programs turn it into different bytes, so a digest over it proves nothing.',
    not: 'It does not mean that the captured message was altered: in message text the same escape is kept as it came.',
    next: ASK_MAKER,
    techniques: ['CWE-176'],
  }),
  READ_NUMBER_OUTSIDE_MODEL: read({
    title: 'A number is not a plain integer',
    means:
      'A number is not an integer from -9007199254740991 to 9007199254740991 in its one spelling: it has a fraction, an exponent, a leading zero, is written -0, or is too large to be read exactly.',
    not: 'It does not mean that the quantity is wrong, only that it has no single exact form to hash.',
    next: ASK_MAKER,
    techniques: ['CWE-681'],
  }),
  READ_STRING_TOO_LONG: read({
    title: 'A string is too long',
    means: 'A string is longer than 16,777,216 bytes of UTF-8 once escapes are resolved.',
    not: 'It does not mean that a captured message was too long: a capture cuts a body at its limit and says so.',
    next: ASK_MAKER,
    techniques: ['CWE-770'],
  }),
  READ_TOO_MANY_ITEMS: read({
    title: 'There are too many records',
    means: 'The lists of the document hold more than 2,000,000 records and edges together.',
    not: 'It does not mean that the records are false; the verifier bounds its work and has not looked at them.',
    next: 'Ask for the capture in several bundles, each with its own receipt.',
    techniques: ['CWE-770'],
  }),
  READ_TOO_MANY_VALUES: read({
    title: 'There are too many values',
    means: 'The document holds more than 33,554,432 values: lists, objects, strings, numbers and literals.',
    not: 'It does not mean that the evidence is false; the verifier bounds its memory and has not looked at it.',
    next: 'Ask for the capture in several bundles, each with its own receipt.',
    techniques: ['CWE-770'],
  }),
  READ_TOO_DEEP: read({
    title: 'Values are nested too deeply',
    means:
      'A list or object stands inside more than 63 others. No document of the format needs that; deep nesting is a known way to crash readers.',
    not: 'It does not mean that a captured message was nested too deeply: messages are kept as text.',
    next: ASK_MAKER,
    techniques: ['CWE-674'],
  }),
  READ_TRAILING_BYTES: read({
    title: 'Something follows the document',
    means:
      'The JSON value ends before the stated offset and other bytes come after it. They would be outside everything that was signed.',
    not: 'It does not mean that the document before them is false.',
    next: 'Look at the bytes after the offset: a second document, a log line or a comment tells how the file was made.',
  }),
  READ_NAME_OUTSIDE_GRAMMAR: read({
    title: 'A member name is not allowed',
    means:
      'A member name is not a lower-case letter followed by lower-case letters, digits and underscores. Only inside the attributes of a record are names free.',
    not: NOT_TAMPERING,
    next: ASK_MAKER,
  }),
  READ_ATTRIBUTE_NOT_STRING: read({
    title: 'An attribute is not a string',
    means:
      'A member of the attributes of a record is a number, list, object, true, false or null. Attributes are strings.',
    not: NOT_TAMPERING,
    next: ASK_MAKER,
  }),
  READ_NOT_AN_OBJECT: read({
    title: 'The document is not an object',
    means:
      'The document, or the part of it at the stated pointer, is missing or is not a JSON object, so there is nothing to check.',
    not: NOT_TAMPERING,
    next: 'See whether the right file was given for this input, and in the right order.',
  }),
  READ_WRONG_FORMAT: read({
    title: 'The file is of another kind or version',
    means: 'The member format is missing or does not name the kind and version of file that was expected here.',
    not: 'It does not mean that the file is bad: it may be a good file given in the wrong place, or one of another version.',
    next: 'See whether the right file was given for this input, and which version of the program wrote it.',
  }),
} as const satisfies ReasonEntries;
