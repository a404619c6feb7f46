import { expect } from 'vitest';
import { inMemory } from '../../../src/base/byte-source.ts';
import type { JsonObject } from '../../../src/base/json-value.ts';
import type { Refusal } from '../../../src/base/result.ts';
import { readTrust } from '../../../src/seal/trust.ts';
import { nativeCrypto } from '../../../src/store/native-crypto.ts';
import { checkIntegrity } from '../../../src/verify/integrity.ts';
import { parse } from '../../../src/verify/parse.ts';
import { bytesOf } from '../../support/bundle.ts';
import { trustDocument } from '../../support/seal.ts';
import { askOracle } from './python.ts';

/** Three files, and what the case is called when the two verifiers disagree. */
export type Case = {
  readonly name: string;
  readonly bundle: Uint8Array;
  readonly receipt: Uint8Array;
  readonly trust: Uint8Array;
  readonly incident?: string;
};

/** The first step that refuses (`intact` when none does), the rows it names, and what it says of them. */
type Decision = { readonly step: string; readonly named: readonly string[]; readonly told: readonly string[] };
type Answer = {
  readonly step: string;
  readonly reasons: readonly string[];
  readonly named: readonly (readonly [string, string | null])[];
};

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const TRUST = bytesOf(trustDocument());

/** A case of values as files would hold them. */
export const caseOf = (name: string, bundle: JsonObject, receipt: JsonObject, trust: Uint8Array = TRUST): Case => ({
  name,
  bundle: bytesOf(bundle),
  receipt: bytesOf(receipt),
  trust,
});

/** Our reasons in the oracle's words, where both localise a change. */
const WORDS: Readonly<Record<string, string>> = {
  RECORD_ALTERED: 'changed',
  EDGE_ALTERED: 'changed',
  RECORD_INSERTED: 'inserted',
  EDGE_INSERTED: 'inserted',
  RECORD_REMOVED: 'removed',
  EDGE_REMOVED: 'removed',
  REORDERED: 'reordered',
  ALTERED_OUTSIDE_RECORDS: 'altered outside records',
};

const wordsOf = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => Object.values(WORDS).includes(line.split(':')[0]!)).sort();

const unique = (rows: readonly string[]): readonly string[] => [...new Set(rows)].sort();

const isAboutRow = ({ at }: Refusal): boolean => at.input === 'bundle' && at.collection !== undefined;

const decision = (step: string, refusals: readonly Refusal[]): Decision => ({
  step,
  named: unique(refusals.filter(isAboutRow).map(({ at }) => `${at.collection} ${at.id}`)),
  told: wordsOf(
    refusals.flatMap((refusal) => {
      const word = WORDS[refusal.reason];
      if (word === undefined) return [];
      return [isAboutRow(refusal) ? `${word}: ${refusal.at.collection} ${refusal.at.id}` : word];
    }),
  ),
});

const trusts = new Map<string, ReturnType<typeof readTrust>>();

/** What our verifier decides of a case. */
const ours = ({ bundle, receipt, trust, incident }: Case): Decision => {
  const key = base64(trust);
  const store = trusts.get(key) ?? readTrust(trust, nativeCrypto);
  trusts.set(key, store);
  if (!store.ok) return decision('trust', store.refusals);
  const parsed = parse({ bundle: inMemory(bundle), receipt });
  if (!parsed.ok) return decision('read', parsed.refusals);
  const checked = checkIntegrity(parsed.value, store.value, { expectedIncident: incident ?? null }, nativeCrypto);
  return checked.ok ? decision('intact', []) : decision(checked.stage, checked.refusals);
};

/** What the oracle decides of each case, and its reasons. */
const theirs = async (
  cases: readonly Case[],
): Promise<readonly (Decision & { readonly reasons: readonly string[] })[]> => {
  const answers = await askOracle<Answer>(
    cases.map(({ bundle, receipt, trust, incident }) => ({
      verify: { bundle: base64(bundle), receipt: base64(receipt), trust: base64(trust), incident: incident ?? null },
    })),
  );
  return answers.map(({ step, reasons, named }) => ({
    step,
    named: unique(named.map(([c, i]) => `${c} ${i}`)),
    told: step === 'commitments' ? wordsOf(reasons) : [],
    reasons,
  }));
};

/** Both verifiers decide alike on every case; returns how many cases each step decided. */
export const expectAgreement = async (cases: readonly Case[]): Promise<Readonly<Record<string, number>>> => {
  const steps: Record<string, number> = {};
  const answers = await theirs(cases);
  const disagreements = cases.flatMap((one, at) => {
    const { reasons, ...their } = answers[at]!;
    const our = ours(one);
    steps[our.step] = (steps[our.step] ?? 0) + 1;
    return JSON.stringify(our) === JSON.stringify(their) ? [] : [{ name: one.name, our, their, reasons }];
  });
  expect(disagreements.slice(0, 20)).toEqual([]);
  return steps;
};
