import type { Act } from './acts.ts';
import { bytesOf, digestOf, type Message } from './dataset.ts';
import { DOCUMENTS } from './gen/schemas.ts';
import { readingsOf } from './gen/spellings.ts';
import { keeps } from './receivers/consent.ts';
import { hashOf } from './receivers/jcs.ts';
import { readSent, type Sent, type SentClaim } from './receivers/sent.ts';

type Did<K extends Act['did']> = Extract<Act, { did: K }>;
type Past = { readonly acts: readonly Act[]; readonly sent: Sent };

const did = <K extends Act['did']>({ acts }: Past, kind: K): readonly Did<K>[] =>
  acts.filter((act): act is Did<K> => act.did === kind);

const textOf = (value: unknown): string => `${value as string}`;

/** A suite passes when the sender's run had it run so, and it has not failed since, whoever ran it. */
const testsUntrue = ({ args }: SentClaim, past: Past): string | null => {
  const runs = did(past, 'ran').filter(({ suite }) => suite === args.suite);
  if (!runs.some(({ run, exit }) => run === past.sent.from.run && exit === 0))
    return `the sender's run never had ${textOf(args.suite)} pass`;
  return runs.at(-1)!.exit === 0 ? null : `${textOf(args.suite)} fails now`;
};

/** A host was reached when a server saw a request of the sender's run that named it; a spelling counts when every reading of it is that host. */
const hostUntrue = ({ args }: SentClaim, past: Past): string | null => {
  const own = (act: { run: string }) => act.run === past.sent.from.run;
  if (did(past, 'reached').some((act) => own(act) && act.host === args.host)) return null;
  const spelled = did(past, 'spelled').filter(own);
  const same = spelled.some((act) => readingsOf(act.spelled).every(({ host }) => host === args.host));
  return same ? null : `no server saw the sender's run at ${textOf(args.host)}`;
};

/** A file was written when the sender's run wrote these bytes there, and they are what stands there now. */
const fileUntrue = ({ args: { path, digest } }: SentClaim, past: Past): string | null => {
  const writes = did(past, 'wrote').filter((act) => act.path === path);
  if (!writes.some((act) => act.run === past.sent.from.run && act.digest === digest))
    return `the sender's run never wrote these bytes to ${textOf(path)}`;
  return writes.at(-1)!.digest === digest ? null : `other bytes stand at ${textOf(path)} now`;
};

const toolOf = (intent: string): string | undefined => {
  const found = Object.values(DOCUMENTS).find((one) => intent === `${one.name}@${hashOf(one)}`);
  return found !== undefined && 'tool' in found ? found.tool : undefined;
};

/** A person approved when a person answered that very call of the sender's run, and it is this request that was approved, or its grant. */
const approvalUntrue = ({ args: { person, call } }: SentClaim, past: Past): string | null => {
  const { sent } = past;
  const answers = did(past, 'answered').filter((act) => act.run === sent.from.run && act.call === call);
  const given = answers.find((act) => act.answer === 'approve' && act.who === 'person' && act.person === person);
  if (given === undefined) return `${textOf(person)} approved no call ${textOf(call)} of the sender's run`;
  if (given.tool === 'pcm.grant') {
    const root = did(past, 'granted').find(({ grant }) => sent.grants.length > 0 && grant === hashOf(sent.grants[0]));
    return root?.call === call ? null : 'the grant that was approved is not the one of this message';
  }
  const same = given.tool === toolOf(sent.intent.type) && hashOf(given.args) === hashOf(sent.intent.args);
  return same ? null : `what was approved is ${given.tool} ${hashOf(given.args)}, and not this request`;
};

const CLAIMS: Readonly<Record<string, (claim: SentClaim, past: Past) => string | null>> = {
  tests_passed: testsUntrue,
  reached_host: hostUntrue,
  file_written: fileUntrue,
  approved_by: approvalUntrue,
};

/** A grant holds as a signer issued it: to this sender, for this intent and tenant, now, passed on where that is allowed, and within its bounds. */
const grantUntrue = (past: Past): string | null => {
  const { sent } = past;
  const issued = did(past, 'granted');
  let parent: Did<'granted'> | null = null;
  for (const grant of sent.grants) {
    const found = issued.find((act) => act.grant === hashOf(grant));
    if (found === undefined) return 'a signer never issued a grant of these terms';
    if (found.parent !== (parent?.grant ?? null)) return 'a grant was not made from the one before it';
    const { terms } = found;
    if (terms.intent !== sent.intent.type) return 'a grant is for another purpose';
    if (found.tenant !== sent.from.tenant) return 'a grant is of another tenant';
    if (sent.ts >= terms.expires_at) return 'a grant had expired';
    if (parent !== null && !parent.terms.delegable) return 'a grant was not to be passed on';
    if (!terms.caveats.every((caveat) => keeps(sent.intent.args, caveat))) return 'the request is outside of a grant';
    parent = found;
  }
  return parent === null || parent.terms.subject === sent.from.agent ? null : 'the grant is for another agent';
};

const isReplayed = (past: Past, text: string): boolean => did(past, 'delivered').some((act) => act.text === text);

/**
 * Takes a message and what had been done when it arrived; returns why what it says is not so, or null when it is. It asks what was signed, done,
 * answered and delivered; evidence, proofs and signatures it does not look at.
 */
export const untrue = (message: Message, all: readonly Act[], me: string): string | null => {
  const acts = all.slice(0, message.acts);
  const bytes = bytesOf(message);
  const text = digestOf(bytes);
  if (!acts.some((act) => act.did === 'signed' && act.text === text && act.agent === message.sender))
    return 'no signer signed these bytes for this sender';
  const sent = readSent(bytes);
  if (sent === null) return 'these bytes are no message';
  const past = { acts, sent };
  if (sent.to.agent !== me) return 'it is for another';
  if (isReplayed(past, text)) return 'it was delivered before';
  for (const claim of sent.claims) {
    const judge = Object.hasOwn(CLAIMS, claim.type) ? CLAIMS[claim.type]! : () => 'a claim is of no type that is known';
    const why = judge(claim, past);
    if (why !== null) return why;
  }
  return grantUntrue(past);
};
