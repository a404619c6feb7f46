import { canonicalOf, type Json, type Members, sha256Text } from '../lab.ts';
import type { Random } from './random.ts';

const isMembers = (value: Json): value is Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

type Place = { readonly holder: Json[] | Members; readonly name: string; readonly value: Json };

/** A value of a document, by a walk that may end at each step: what stands near the root is as likely as the thousand values of its evidence. */
const placeIn = (root: Json[] | Members, random: Random): Place | null => {
  const names = Object.keys(root);
  if (names.length === 0) return null;
  const name = random.pick(names);
  const value = (root as Members)[name]!;
  if (value === null || typeof value !== 'object' || random.below(4) === 0) return { holder: root, name, value };
  return placeIn(value, random) ?? { holder: root, name, value };
};

const STRINGS = [
  '',
  '.',
  '/',
  '..',
  ' ',
  '+',
  '0',
  'a',
  '\u0000',
  'é',
  '.example',
  'pytest -q',
  'alice',
  'uid:2',
  'gateway',
  'T2',
];
const NUMBERS = [-1, 0, 1, 5, 6, 10, 11, 700, 701, 1000, 1001, 0.5, 2 ** 53 - 3];

const alter = (value: Json, random: Random): Json => {
  if (typeof value === 'number') return random.pick([value + 1, value - 1, -value, `${value}`, ...NUMBERS]);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') {
    // By code points: half a pair cannot be signed.
    const points = Array.from(value);
    const at = random.below(points.length + 1);
    const [before, after] = [points.slice(0, at).join(''), points.slice(at)];
    const put = random.pick(STRINGS);
    return random.pick([before + put + after.join(''), before + after.slice(1).join(''), value.toUpperCase(), put]);
  }
  if (Array.isArray(value))
    return random.pick([[], [...value, ...value], [...value].reverse(), value.slice(1), value.slice(0, -1)]);
  return random.pick<Json>([{}, null, [value], value]);
};

/** Edits anything: alters, exchanges, drops, doubles or adds a value. */
const edit = (document: Members, random: Random): void => {
  const place = placeIn(document, random);
  const other = placeIn(document, random);
  if (place === null || other === null) return;
  const { holder, name, value } = place;
  switch (random.below(6)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(name), 1);
      else delete holder[name];
      return;
    case 1:
      (holder as Members)[name] = structuredClone(other.value);
      return;
    case 2:
      if (isMembers(value))
        value[random.pick(['x', 'covers', 'salt', 'args', other.name])] = structuredClone(other.value);
      return;
    default:
      (holder as Members)[name] = alter(value, random);
  }
};

type Claims = { readonly evidence: { readonly records: Members[] } }[];

/** Edits an event of the evidence, as a sender does who would have it say more, and may give it the hash that it then has. */
const forge = (document: Members, random: Random): void => {
  const records = ((document.claims ?? []) as unknown as Claims).flatMap(({ evidence }) => evidence.records);
  if (records.length === 0) return;
  const record = random.pick(records);
  const event = record.event as Members;
  const holder = random.pick([event, event.data as Members]);
  const name = random.pick(Object.keys(holder));
  if (random.below(4) === 0) Object.assign(event, { source: 'gateway', tier: 'T2' });
  else holder[name] = alter(holder[name]!, random);
  if (random.below(2) === 0) record.hash = sha256Text(canonicalOf(event));
};

/** Takes a body of a message; returns a copy after an edit or two. */
export const mutateValue = (document: Members, random: Random): Members => {
  const copy = structuredClone(document);
  if (random.below(2) === 0) forge(copy, random);
  else for (let edits = 1 + random.below(2); edits > 0; edits--) edit(copy, random);
  return copy;
};
