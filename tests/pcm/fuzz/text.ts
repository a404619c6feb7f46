import canonicalize from 'canonicalize';
import type { Random } from './random.ts';

/** A token of JSON; regular expressions on purpose: no reader of ours takes part in judging ours. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/gs;

/**
 * What a text says, in a form in which two texts are equal when they say the same: its canonical text as another reader and writer have it, and its tokens,
 * of which a repeated name, which JSON.parse drops, leaves more. Throws on no JSON.
 */
export const meaningOf = (text: string): string => {
  const tokens = (text.match(TOKEN) ?? []).map((token) =>
    JSON.stringify(JSON.parse(/^[{}[\],:]$/.test(token) ? `"${token}"` : token)),
  );
  return `${canonicalize(JSON.parse(text))}\n${tokens.sort().join('')}`;
};

type Edit = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

const splice = (bytes: Buffer, from: number, to: number, put: Buffer | string): Buffer =>
  Buffer.concat([bytes.subarray(0, from), Buffer.from(put), bytes.subarray(to)]);
const rangeOf = (bytes: Buffer, random: Random): [number, number] => {
  const from = random.below(bytes.length);
  return [from, Math.min(bytes.length, from + 1 + random.below(random.pick([2, 8, 64, 512])))];
};

/** Replaces one match of a pattern. */
const replaceOne =
  (pattern: RegExp, put: (match: string, random: Random) => string): Edit =>
  (bytes, random) => {
    const text = bytes.toString('latin1');
    const matches = [...text.matchAll(pattern)];
    if (matches.length === 0) return bytes;
    const { 0: match, index } = random.pick(matches);
    return splice(bytes, index, index + match.length, Buffer.from(put(match, random), 'latin1'));
  };

const WHITE_SPACE = [' ', '\t', '\n', '\r\n  ', '\u00a0', '\f', '/**/'];
const STRAYS = [
  '\0',
  '"',
  '\\',
  '\\ud800',
  '\\udc00\\ud800',
  '\\u0000',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '-',
  '\u00ff',
  'e',
  '1',
  'null',
];
const respelled = (token: string, random: Random): string =>
  random.pick([
    `${token}.0`,
    `${token}e0`,
    `${token}0`,
    `0${token}`,
    `+${token}`,
    `-${token}`,
    '1e400',
    '-0',
    '9007199254740993',
    `${Number(token) + 1}`,
  ]);

/** Edits of the bytes, whatever they are. */
const BLIND: readonly Edit[] = [
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    copy[random.below(copy.length)]! ^= 1 << random.below(8);
    return copy;
  },
  (bytes, random) => splice(bytes, ...rangeOf(bytes, random), ''),
  (bytes, random) => {
    const [from, to] = rangeOf(bytes, random);
    return splice(bytes, to, to, bytes.subarray(from, to));
  },
  (bytes, random, other) => {
    const [from, to] = rangeOf(other, random);
    return splice(bytes, ...rangeOf(bytes, random), other.subarray(from, to));
  },
  (bytes, random) => {
    const at = random.below(bytes.length + 1);
    return splice(bytes, at, at, Buffer.from(random.pick(STRAYS), 'latin1'));
  },
  (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  (bytes, random) => Buffer.concat([Buffer.from(random.pick(['\ufeff', ' ', '[', '0'])), bytes]),
  (bytes, random) => Buffer.concat([bytes, Buffer.from(random.pick(['\0', ' \n', ']', ' {}', ',']))]),
];

/** Edits that know JSON: other spellings of the same value, and what two readers may read in two ways. */
const KNOWING: readonly Edit[] = [
  replaceOne(/[{}[\],:]/g, (token, random) => token + random.pick(WHITE_SPACE)),
  replaceOne(/(?<=[,[:])-?\d+(?=[,\]}])/g, respelled),
  replaceOne(/(?<=")[A-Za-z0-9./ ]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  replaceOne(/(?<=[{,])"[a-z_]+":/g, (name, random) => `${name}${random.pick(['null', '0', '{}', '"alice"'])},${name}`),
  replaceOne(
    /(?<=[{,])"[a-z_]+":/g,
    (name) => `${name.replace(/[a-z]/, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)}1,${name}`,
  ),
  replaceOne(
    /"[a-z_]+":(?:"[^"\\]*"|\d+|true|false|null),"[a-z_]+":(?:"[^"\\]*"|\d+|true|false|null)(?=[,}])/g,
    (pair) => {
      const [, first, second] = /^("[a-z_]+":(?:"[^"]*"|\w+)),(.*)$/s.exec(pair)!;
      return `${second},${first}`;
    },
  ),
  replaceOne(/true|false|null/g, (_, random) => random.pick(['true', 'false', 'null', '0', '1', '""'])),
  replaceOne(/[A-Za-z0-9+/]=+"/g, (end, random) =>
    random.pick([`B${end.slice(1)}`, '"', `=${end}`, end.replaceAll('=', '')]),
  ),
  replaceOne(/[0-9a-f]{8,}/g, (hex) => hex.toUpperCase()),
  (bytes, random) => {
    const depth = 1 + random.below(200);
    return replaceOne(
      /(?<=:)(?:"[^"\\]*"|\d+|true|false|null)(?=[,}])/g,
      (value) => '['.repeat(depth) + value + ']'.repeat(depth),
    )(bytes, random, bytes);
  },
];

/** Takes the bytes of a message and those of another; returns them after one to three edits. */
export const mutateText = (bytes: Buffer, other: Buffer, random: Random): Buffer => {
  let mutated = bytes;
  for (let edits = 1 + random.below(3); edits > 0 && mutated.length > 0; edits--)
    mutated = random.pick(random.pick([BLIND, KNOWING, KNOWING]))(mutated, random, other);
  return mutated;
};
