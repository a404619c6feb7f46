import * as z from 'zod';
import { jcsHash } from '../../pcm/jcs.ts';
import { Members } from '../../pcm/shapes.ts';
import type { PcmObject } from '../../pcm/value.ts';
import { pcmRun, requireNoHold, requireOpen } from '../access.ts';
import { signDocument } from '../log-key.ts';
import { forbidden } from '../refused.ts';
import { paramsOf } from '../shape.ts';
import type { Signer } from '../signer.ts';
import type { Answer, Approval, Call, Run } from '../state.ts';
import { callOf } from './calls.ts';
import { type RootTerms, requireWithinADay, rootTermsOf } from './grant-terms.ts';
import type { Method } from './method.ts';
import { CallId, RunId, RunTokenText } from './params.ts';

const TOOL = 'pcm.grant';

const consumedOf = ({ id, tool, decision, approval }: Call): Approval => {
  if (tool !== TOOL) throw forbidden(`the call ${id} is of ${tool}: a root grant needs an approved call of ${TOOL}`);
  if (decision !== 'ask' || approval === null)
    throw forbidden(`the policy did not ask for the call ${id} (${decision}): it needs an ask rule for ${TOOL}`);
  if (approval.answer?.decision !== 'approve')
    throw forbidden(`the call ${id} was not approved (${approval.answer?.decision ?? 'no answer yet'})`);
  if (!approval.consumed) throw forbidden(`the approval of the call ${id} was not consumed`);
  return approval;
};

const requirePerson = ({ byAgent, selfApproved, approver, person }: Answer, run: Run, terms: RootTerms): string => {
  if (selfApproved || approver === run.agent)
    throw forbidden(`${approver} approved its own call: a root grant needs the approval of another`);
  if (approver === terms.subject) throw forbidden(`${approver} approved a grant to itself: another person must`);
  if (byAgent) throw forbidden(`${approver} is an agent approver: a root grant needs the approval of a person`);
  if (person === null)
    throw forbidden(
      `a root grant needs the approval of a person the signer configuration's approvals.persons names: ${approver} maps to none`,
    );
  return person;
};

const requireUnused = ({ granted, call }: Approval): void => {
  if (granted) throw forbidden(`the approval of the call ${call.id} issued its grant already: one grant per approval`);
  if (call.ended) throw forbidden(`the call ${call.id} has its result already: one grant per approval`);
};

const requireSameArgs = ({ salts }: Signer, { id, decisionId, tool, commitment }: Call, args: PcmObject): void => {
  if (salts.commit(decisionId, tool, args) !== commitment)
    throw forbidden(`the call ${id} was approved with other args: a grant has exactly the terms that were approved`);
};

const Grant = z.strictObject({ run: RunId, run_token: RunTokenText, call: CallId, args: Members });
/** Signs the one root grant of an approval that a person gave and the agent consumed. */
export const pcmGrant: Method = {
  counts: true,
  call: async (signer, caller, params) => {
    const { run: id, run_token, call: callId, args } = paramsOf(Grant, params);
    const run = pcmRun(signer, caller, id, run_token);
    requireNoHold(run);
    requireOpen(run);
    if (signer.config.approvals === undefined)
      throw forbidden(
        'the signer configuration has no approvals section: without it any identity of the tenant may answer, and none is a person',
      );
    const call = callOf(run, callId);
    const approval = consumedOf(call);
    requireSameArgs(signer, call, args);
    const terms = rootTermsOf(args);
    const answer = approval.answer!;
    const person = requirePerson(answer, run, terms);
    const ts = signer.book.now();
    requireWithinADay(terms.expires_at, ts);
    requireUnused(approval);
    const { tenant } = run;
    const issuer = { kind: 'person', id: answer.approver, run: run.id, tenant, approval_id: approval.id, person };
    const grant = signDocument({ ...terms, pcm_grant: 0, ts, issuer, parent: null }, 'grant', signer.signing);
    const data = {
      name: TOOL,
      grant: jcsHash(grant, signer.crypto),
      approval_id: approval.id,
      subject: terms.subject,
      intent: terms.intent,
    };
    // Between the check that it is unused and this, which marks it as used, no other call has its turn.
    await signer.book.record(run, { type: 'ext', source: 'signer', data });
    return { grant };
  },
};
