import type { Identity } from './identity.ts';
import { forbidden, invalid, type Refused } from './refused.ts';
import type { Signer } from './signer.ts';
import type { Run } from './state.ts';

/** The same words whether there is no such run or it is another's: nobody learns of runs that are not theirs. */
const noRun = (caller: Identity, id: string): Refused => forbidden(`${caller.id} has no run ${id}`);

const isOwn = (run: Run | undefined, caller: Identity): run is Run =>
  run !== undefined && run.agent === caller.id && run.tenant === caller.tenant;

const isDelegated = ({ runTokens, book }: Signer, caller: Identity, run: Run, guess: string | undefined): boolean => {
  const given = runTokens.get(run.id);
  if (given === undefined || guess === undefined || run.tenant !== caller.tenant) return false;
  return given.token.is(guess) && book.nowMs() < given.until;
};

/** The run of an identity that registered it; refuses every other. */
export const ownRun = ({ book }: Signer, caller: Identity, id: string): Run => {
  const run = book.runs.get(id);
  if (isOwn(run, caller)) return run;
  throw noRun(caller, id);
};

/** The run of the identity that registered it, or that its agent gave a run token for: to read it and to report what the agent did. */
export const reportedRun = (signer: Signer, caller: Identity, id: string, token: string | undefined): Run => {
  const run = signer.book.runs.get(id);
  if (isOwn(run, caller)) return run;
  if (run !== undefined && isDelegated(signer, caller, run, token)) return run;
  throw noRun(caller, id);
};

const PCM_FOR = "pcm calls are for the run's own agent, the identity that registered it";

/** The run of a pcm call: for the agent that registered it alone. A run token, an observer and an approver are told why not. */
export const pcmRun = (signer: Signer, caller: Identity, id: string, token: string | undefined): Run => {
  if (caller.role === 'agent-approver') throw forbidden(`${caller.id} is an agent approver: ${PCM_FOR}`);
  if (caller.role === 'egress' || caller.role === 'sensor') throw forbidden(`${caller.id} is an observer: ${PCM_FOR}`);
  const run = signer.book.runs.get(id);
  if (isOwn(run, caller)) return run;
  if (run !== undefined && isDelegated(signer, caller, run, token))
    throw forbidden(`${caller.id} holds a delegated run token, which reads and reports: ${PCM_FOR}`);
  throw noRun(caller, id);
};

/** Refuses new authority of a run that a person looks at. */
export const requireNoHold = ({ id, hold }: Run): void => {
  if (hold !== null)
    throw forbidden(`the run ${id} is ${hold}: the signer signs nothing for it until an operator releases it`);
};

export const endedRun = ({ id }: Run): Refused => invalid(`the run ${id} has ended: begin another`);

/** Refuses what adds to a run that has ended or is quarantined. */
export const requireOpen = (run: Run): void => {
  const { id, hold, ended } = run;
  if (ended) throw endedRun(run);
  if (hold === 'quarantined')
    throw forbidden(`the run ${id} is quarantined: the signer takes no call of it until an operator releases it`);
};
