import type { Json, Members } from '../lab.ts';
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
const NUMBERS = [-1, 0, 1, 5, 6, 10, 11, 700, 701, 1000, 1001, 0.5, 2 ** 53 - 1];

const alter = (value: Json, random: Random): Json => {
  if (typeof value === 'number') return random.pick([value + 1, value - 1, -value, `${value}`, ...NUMBERS]);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') {
    const at = random.below(value.length + 1);
    const put = random.pick(STRINGS);
    return random.pick([
      value.slice(0, at) + put + value.slice(at),
      value.slice(0, at) + value.slice(at + 1),
      value.toUpperCase(),
      put,
    ]);
  }
  if (Array.isArray(value))
    return random.pick([[], [...value, ...value], [...value].reverse(), value.slice(1), value.slice(0, -1)]);
  return random.pick<Json>([{}, null, [value], value]);
};

/** Takes a document; returns a copy in which a value or two are altered, exchanged, dropped, doubled or new. */
export const mutateValue = (document: Members, random: Random): Members => {
  const copy = structuredClone(document);
  for (let edits = 1 + random.below(2); edits > 0; edits--) {
    const place = placeIn(copy, random);
    const other = placeIn(copy, random);
    if (place === null || other === null) return copy;
    const { holder, name, value } = place;
    switch (random.below(6)) {
      case 0:
        if (Array.isArray(holder)) holder.splice(Number(name), 1);
        else delete holder[name];
        break;
      case 1:
        (holder as Members)[name] = structuredClone(other.value);
        break;
      case 2:
        if (isMembers(value))
          value[random.pick(['x', 'covers', 'salt', 'args', other.name])] = structuredClone(other.value);
        break;
      default:
        (holder as Members)[name] = alter(value, random);
    }
  }
  return copy;
};
