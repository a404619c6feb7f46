import { expect, test } from 'vitest';
import { inMemory } from '../../src/base/byte-source.ts';
import { COLLECTIONS } from '../../src/evidence/collections.ts';
import { RELATIONS } from '../../src/evidence/relations.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { checkIntegrity } from '../../src/verify/integrity.ts';
import { parse } from '../../src/verify/parse.ts';
import { sealed } from './seal.ts';

test('the built bundle uses every collection and every relation, and is intact', () => {
  const { bundle, files, trust } = sealed();
  const relations = new Set((bundle.edges as { relation: string }[]).map((edge) => edge.relation));
  expect(COLLECTIONS.filter((name) => (bundle[name] as unknown[]).length === 0)).toEqual([]);
  expect(Object.keys(RELATIONS).filter((relation) => !relations.has(relation))).toEqual([]);
  const parsed = parse({ ...files, bundle: inMemory(files.bundle) });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusals));
  const checked = checkIntegrity(parsed.value, trust, { expectedIncident: 'incident-1' }, nativeCrypto);
  expect(checked).toMatchObject({ ok: true });
});
