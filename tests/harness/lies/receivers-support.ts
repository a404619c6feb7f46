import { hashOf } from '../../../harness/lies/receivers/jcs.ts';
import type { Context, World } from '../../../harness/lies/receivers/receiver.ts';
import {
  A,
  approvalOf,
  bytesOf,
  callOf,
  childOf,
  evidenceOf,
  grantOf,
  type Json,
  LOG,
  type Members,
  messageOf,
  ROOT_ISSUER,
  refOf,
  TS,
} from '../../pcm/lab.ts';

const ME = 'uid:2';
const FIELDS: Members = { amount: { type: 'int', min: 0, max: 1000 } };
const TESTED: Members = { pcm_schema: 0, name: 'tested', fields: FIELDS, claims: ['tests_passed'] };
const GRANTED: Members = { pcm_schema: 0, name: 'granted', fields: FIELDS, grant: true };
const APPROVED: Members = { pcm_schema: 0, name: 'paid', fields: FIELDS, claims: ['approved_by'], tool: 'pay' };
const ARGS: Members = { amount: 5 };

const run = callOf('Bash', { command: 'pytest -q' });
const answer = approvalOf('pay', ARGS);
const byAgent = approvalOf('pay', ARGS, { approval: { approver_kind: 'agent' } });
const grant = grantOf({}, GRANTED);
const toOther = grantOf({ subject: 'uid:7' }, GRANTED);

/** What happened: these events stand in the log, and these grants were issued. */
const world: World = {
  records: new Set([...run.events, ...answer, ...byAgent].map(hashOf)),
  grants: new Set([grant, toOther, grantOf({ expires_at: '2026-11-30T12:00:05.000000Z' }, GRANTED)].map(hashOf)),
};

export const contextOf = (changes: Partial<Context> = {}): Context => ({
  trust: bytesOf({ logs: [LOG.vkey] }),
  schemas: [TESTED, GRANTED, APPROVED].map(bytesOf),
  me: ME,
  now: TS,
  started: '2026-11-30T12:00:00.000000Z',
  earlier: [],
  sender: A,
  world,
  ...changes,
});

const bodyOf = (schema: Members, more: Members): Members =>
  messageOf({ intent: { type: refOf(schema), args: ARGS }, ...more }, schema);
const claim = (type: string, args: Members, evidence: unknown): Json => ({ type, args, evidence }) as Members;

const pytest: Members = { suite: 'pytest -q' };
const covered: Members = { person: 'alice', call: 'c1', covers: true };
const approving = (events: readonly Members[], opened: Readonly<Record<number, Members>>) =>
  bodyOf(APPROVED, { claims: [claim('approved_by', covered, evidenceOf(events, opened))] });

export const tested = bodyOf(TESTED, { claims: [claim('tests_passed', pytest, evidenceOf(run.events, run.opened))] });
export const granted = bodyOf(GRANTED, { grants: [grant] });
export const approved = approving(answer, { 0: ARGS });
export const undisclosed = approving(answer, {});
export const agentApproved = approving(byAgent, { 0: ARGS });
export const unauthorised = bodyOf(GRANTED, {});
export const expired = bodyOf(GRANTED, { grants: [grantOf({ expires_at: '2026-11-30T12:00:05.000000Z' }, GRANTED)] });
/** The bound of the grant, raised after it was issued. */
export const widened = bodyOf(GRANTED, {
  grants: [{ ...grant, caveats: [{ field: 'amount', op: '<=', value: 999 }] }],
});
export const delegated = bodyOf(GRANTED, {
  grants: [
    toOther,
    childOf(toOther, {
      intent: refOf(GRANTED),
      issuer: { kind: 'agent', id: 'uid:7', run: ROOT_ISSUER.run, tenant: 'default' },
      subject: A,
    }),
  ],
});
/** The agent's own words, in a log of its own making whose checkpoint it cannot sign. */
const [decision, result] = run.events as [Members, Members];
const honest = evidenceOf(run.events, run.opened);
export const fabricated = bodyOf(TESTED, {
  claims: [
    claim(
      'tests_passed',
      { suite: 'pytest tests' },
      {
        ...honest,
        records: evidenceOf([{ ...decision, id: 'made up' }, result], run.opened).records,
      },
    ),
  ],
});
/** True records of another suite. */
export const misquoted = bodyOf(TESTED, { claims: [claim('tests_passed', { suite: 'npm test' }, honest)] });
export const unsigned: Members = { ...tested, sig: { ...(tested.sig as Members), sig: 'AA==' } };
export const misaddressed = bodyOf(TESTED, { to: { agent: 'uid:3' }, claims: tested.claims! });

export const MESSAGES = {
  tested,
  granted,
  approved,
  undisclosed,
  agentApproved,
  unauthorised,
  expired,
  widened,
  delegated,
  fabricated,
  misquoted,
  unsigned,
  misaddressed,
};
