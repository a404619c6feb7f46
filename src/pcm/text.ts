import { neutraliseJson } from '../base/terminal.ts';
import type { ClaimType } from './claim-types.ts';
import type { JudgedClaim } from './claims/claims.ts';
import type { PcmJudged, PcmOutcome } from './result.ts';

/**
 * Takes a line that a stranger chose parts of; returns it with each character a terminal would act on, and each backslash, written as JSON escapes it:
 * what the stranger wrote as `\u001b` shows as `\\u001b`.
 */
export const escapeLine = (line: string): string =>
  neutraliseJson(line.replaceAll('\\', '\\\\').replaceAll('\n', '\\n'));

/** These say what a state was, which may have changed since. */
const AGEING: readonly string[] = ['tests_passed', 'file_written'] satisfies ClaimType[];

const ageOf = ({ type, evidence_age_s: age }: JudgedClaim): string =>
  age === undefined || !AGEING.includes(type) ? '' : `; evidence ${Math.ceil(age)} s before the message`;

const heldOf = ({ extensions = [], detail: own }: JudgedClaim): string =>
  extensions
    .flatMap(({ name, holds, detail }) => (holds === true && detail !== own ? [`; ${name}: ${detail}`] : []))
    .join('');

const provenOf = ({ claims }: PcmJudged): readonly string[] =>
  claims
    .filter(({ result }) => result === 'proven')
    .map((claim) => `${claim.type} proven (${claim.detail}${ageOf(claim)}${heldOf(claim)})`);

const checksOf = ({ replay, grants }: PcmJudged): readonly string[] => [
  'signature ok',
  ...(replay.ok === true ? ['replay ok'] : []),
  'schema ok',
  ...(grants.root === null
    ? []
    : [`grant ok (${grants.root.person}, ${grants.steps} step${grants.steps === 1 ? '' : 's'})`]),
];

const partsOf = (outcome: PcmOutcome): readonly string[] => {
  if (outcome.verdict === 'bad-input') return outcome.reasons;
  const told = outcome.verdict === 'accept' ? checksOf(outcome) : outcome.reasons;
  const { skipped } = outcome;
  return [...told, ...provenOf(outcome), ...(skipped.length === 0 ? [] : [`not checked: ${skipped.join(', ')}`])];
};

/** Takes a result; returns it in one line, fit for a terminal: the verdict, what was checked or what is short of accept, each proven claim, what was skipped. */
export const pcmLine = (outcome: PcmOutcome): string =>
  escapeLine(`${outcome.verdict.toUpperCase()}  ${partsOf(outcome).join(' · ')}`);
