import { approvalAnswer, approvalConsume, approvalsList, approvalWait } from './approvals.ts';
import { complete, decide } from './calls.ts';
import { execute } from './execute.ts';
import type { Method } from './method.ts';
import { observe } from './observe.ts';
import { pcmDelegate } from './pcm-delegate.ts';
import { pcmEvidence } from './pcm-evidence.ts';
import { pcmGrant } from './pcm-grant.ts';
import { pcmSign } from './pcm-sign.ts';
import { runHold } from './run-hold.ts';
import { read, runBegin, runEnd, runToken, status } from './runs.ts';

/** Every call of the signer, by its name on the wire (docs/PCM-SIGNER.md section 6). */
export const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    status,
    run_begin: runBegin,
    run_end: runEnd,
    run_token: runToken,
    run_hold: runHold,
    read,
    decide,
    complete,
    execute,
    observe,
    approval_wait: approvalWait,
    approval_consume: approvalConsume,
    approvals_list: approvalsList,
    approval_answer: approvalAnswer,
    pcm_sign: pcmSign,
    pcm_grant: pcmGrant,
    pcm_delegate: pcmDelegate,
    pcm_evidence: pcmEvidence,
  }),
);
