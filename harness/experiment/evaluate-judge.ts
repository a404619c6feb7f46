import { createVerifier, type Family, type Mode, nativeCrypto, type Verifier } from '../../src/index.ts';
import { type EvaluatedEvidence, evaluateRun, type Verifiers } from './evaluate-run.ts';
import type { CompleteRun } from './evaluate-schedule.ts';
import { layoutOf } from './model.ts';

/** What every run of an experiment is judged by, as bytes and names: a thread can be given it. */
export type JudgeInput = {
  readonly place: { readonly root: string; readonly name: string };
  readonly profile: Uint8Array;
  readonly trust: Uint8Array;
  readonly families: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly settings: Uint8Array;
  readonly expectedFindings: ReadonlyMap<Family, string>;
};

/** A verifier for each configuration, which reads profile, trust store, families and settings once for all runs. */
export const verifiersOf = ({ profile, trust, families, settings }: JudgeInput): Verifiers => {
  const verifierIn = (mode: Mode): Verifier =>
    createVerifier({ profile, trust, families, settings, otherProfile: false, mode }, nativeCrypto);
  return {
    full: verifierIn('full'),
    'root-only': verifierIn('root-only'),
    'records-only': verifierIn('records-only'),
  };
};

/** A function that judges one run after the other. */
export const judgeOf = (input: JudgeInput): ((complete: CompleteRun) => EvaluatedEvidence) => {
  const verifiers = verifiersOf(input);
  const layout = layoutOf(input.place.root, input.place.name);
  return (complete) => evaluateRun(complete, layout, verifiers, input.expectedFindings.get(complete.run.family));
};
