import { EXTENDED, isAccepted, lies, OURS, ofClass, type Result, type Results } from '../score/results.ts';
import { PUBLISHED } from './published.ts';

/** A hypothesis of the pre-registration, as it came out. */
export type Hypothesis = {
  readonly id: string;
  readonly text: string;
  readonly bar: string;
  readonly outcome: string;
  readonly passed: boolean;
  readonly published: string | null;
  /** The messages that decide against it. */
  readonly against: readonly string[];
};

const ids = (results: readonly Result[]): readonly string[] => results.map(({ message }) => message.id);
const percent = (hits: number, of: number): string => (of === 0 ? 'none' : `${((100 * hits) / of).toFixed(1)} %`);

const h1 = (results: Results): Hypothesis => {
  const told = lies(results);
  const accepted = told.filter((result) => isAccepted(result, OURS));
  return {
    id: 'H1',
    text: 'No lie is accepted by our verifier.',
    bar: '0 accepted',
    outcome: `${accepted.length} of ${told.length} accepted`,
    passed: accepted.length === 0,
    published: PUBLISHED.hypothesis('H1'),
    against: ids(accepted),
  };
};

const h2 = (results: Results): Hypothesis => {
  const honest = ofClass(results, 'honest');
  const claims = honest.flatMap(({ row }) => row.native.claims);
  const proven = claims.filter((result) => result === 'proven').length;
  return {
    id: 'H2',
    text: 'Honest claims backed by T2 or by the signer are proven.',
    bar: 'at least 99 % of the claims',
    outcome: `${proven} of ${claims.length} claims (${percent(proven, claims.length)})`,
    passed: proven >= 0.99 * claims.length,
    published: PUBLISHED.hypothesis('H2'),
    against: ids(honest.filter(({ row }) => row.native.claims.some((result) => result !== 'proven'))),
  };
};

const h3 = (results: Results): Hypothesis => {
  const told = ofClass(results, 'T1');
  const other = told.filter(({ row }) => row.native.claims.some((result) => result !== 'unproven'));
  return {
    id: 'H3',
    text: 'A claim backed by T1 alone is unproven.',
    bar: 'all of them',
    outcome: `${told.length - other.length} of ${told.length}`,
    passed: other.length === 0,
    published: PUBLISHED.hypothesis('H3'),
    against: ids(other),
  };
};

const h4 = ({ results }: Results): Hypothesis => {
  const apart = results.filter(
    ({ row: { native, second } }) => native.verdict !== second.verdict || native.class !== second.class,
  );
  return {
    id: 'H4',
    text: 'The two verifiers give the same verdict and reason class on every message.',
    bar: 'all of them',
    outcome: `${results.length - apart.length} of ${results.length}`,
    passed: apart.length === 0,
    published: PUBLISHED.hypothesis('H4'),
    against: ids(apart),
  };
};

const e1 = (results: Results): Hypothesis => {
  const stale = ofClass(results, 'L10');
  const accepted = stale.filter((result) => isAccepted(result, EXTENDED));
  return {
    id: 'E1',
    text: 'With the extensions, no stale lie is accepted.',
    bar: '0 accepted',
    outcome: `${accepted.length} of ${stale.length} accepted`,
    passed: accepted.length === 0,
    published: null,
    against: ids(accepted),
  };
};

const e2 = (results: Results): Hypothesis => {
  const honest = ofClass(results, 'honest');
  const lost = honest.filter((result) => isAccepted(result, OURS) && !isAccepted(result, EXTENDED));
  return {
    id: 'E2',
    text: 'With the extensions, no honest message is lost.',
    bar: '0 lost',
    outcome: `${lost.length} of ${honest.length} lost`,
    passed: lost.length === 0,
    published: null,
    against: ids(lost),
  };
};

/** The hypotheses of the pre-registration, each as it came out. */
export const hypothesesOf = (results: Results): readonly Hypothesis[] =>
  [h1, h2, h3, h4, e1, e2].map((judge) => judge(results));
