import { type Caveat, caveatOf, implies, type WrittenCaveat } from '../pcm/caveats.ts';
import type { FieldType } from '../pcm/fields.ts';
import { isPcmTime } from '../pcm/time.ts';
import type { PcmValue } from '../pcm/value.ts';
import { invalid } from './refused.ts';

const BOUNDS: readonly string[] = ['<=', '>=', '<', '>'];

const typeOf = (value: PcmValue, isBound: boolean): FieldType => {
  if (typeof value === 'number') return 'int';
  if (typeof value === 'boolean') return 'bool';
  return isBound && isPcmTime(value) ? 'time' : 'string';
};

/** The signer has no schema document: what a field holds shows in its caveats, in a bound before anything else. */
const typesOf = (caveats: readonly WrittenCaveat[]): Map<string, { readonly type: FieldType }> => {
  const types = new Map<string, { readonly type: FieldType }>();
  for (const { field, op, value } of caveats) {
    const isBound = BOUNDS.includes(op);
    if (isBound || !types.has(field)) types.set(field, { type: typeOf(value, isBound) });
  }
  return types;
};

const read = (caveats: readonly WrittenCaveat[], types: ReturnType<typeof typesOf>): readonly Caveat[] =>
  caveats.map((written) => {
    const caveat = caveatOf(written, { fields: types });
    if (typeof caveat === 'string') throw invalid(`caveat on ${caveat}`);
    return caveat;
  });

/** Refuses caveats that no schema could read: an operator that does not exist, or values of two types on one field. */
export const requireCaveats = (caveats: readonly WrittenCaveat[]): void => {
  read(caveats, typesOf(caveats));
};

/** Refuses a child that drops or widens a caveat of its parent (docs/PCM.md section 7). */
export const requireNarrower = (child: readonly WrittenCaveat[], parent: readonly WrittenCaveat[]): void => {
  const types = typesOf([...parent, ...child]);
  const narrower = read(child, types);
  const widened = read(parent, types).find((wanted) => !narrower.some((caveat) => implies(caveat, wanted)));
  if (widened !== undefined) throw invalid(`${widened.text}: dropped or widened`);
};
