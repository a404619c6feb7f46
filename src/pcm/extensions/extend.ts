import { type Judgement, proven } from '../claims/judgement.ts';
import type { Envelope } from '../envelope.ts';
import { type Finding, finding } from '../finding.ts';
import { answeredBy } from './any-response.ts';
import { filesAt } from './file.ts';
import { type Extended, type ExtensionName, type Extensions, namesOf } from './options.ts';
import { provingCalls, RULINGS, type Ruling, type Subject } from './ruling.ts';

export type ExtendedJudgement = Judgement & { readonly extensions: readonly Extended[] };

const ASKS_NOTHING = 'it asks nothing of this claim';

const toldOf = (name: ExtensionName, ruling: Ruling): Extended =>
  ruling === null
    ? { name, holds: null, detail: ASKS_NOTHING }
    : typeof ruling === 'string'
      ? { name, holds: true, detail: ruling }
      : { name, holds: false, detail: ruling.detail };

const isShort = (ruling: Ruling): ruling is Judgement => ruling !== null && typeof ruling !== 'string';

/** What is short of the claim first: only what is not fresh can contradict it, and that comes first. */
const shortOf = (rulings: readonly Ruling[]): Judgement | undefined => rulings.find(isShort);

/** A claim that PCM 0.1 has as proven stays so when of one call that proves it everything holds that is asked. */
const held = (judged: Judgement, subject: Subject, asked: Extensions): ExtendedJudgement => {
  const names = namesOf(asked);
  const ruled = provingCalls(subject).map((call) => names.map((name) => RULINGS[name](call, subject, asked)));
  const rulings = ruled.find((one) => shortOf(one) === undefined) ?? ruled[0] ?? names.map(() => null);
  return { ...(shortOf(rulings) ?? judged), extensions: names.map((name, i) => toldOf(name, rulings[i]!)) };
};

/** A host that answered was reached: what 0.1 does not take as proven may be so. */
const reached = (judged: Judgement, { claim, records }: Subject, asked: Extensions): ExtendedJudgement => {
  const isAsked = claim.type === 'reached_host' && asked.anyResponse === true;
  const answer = isAsked ? answeredBy(records, claim.args.host as string) : null;
  const extensions = namesOf(asked).map((name) =>
    name === 'any-response' && answer !== null
      ? toldOf(name, answer)
      : { name, holds: null, detail: 'the claim is not proven without it' },
  );
  return { ...(answer === null ? judged : proven(answer)), extensions };
};

/** Takes what PCM 0.1 says of a claim whose evidence holds; returns what is said of it with what the receiver asks beyond (docs/PCM-EXTENSIONS.md). */
export const extend = (judged: Judgement, subject: Subject, asked: Extensions): ExtendedJudgement =>
  judged.result === 'proven' ? held(judged, subject, asked) : reached(judged, subject, asked);

const isOfFile = ({ claims = [] }: Envelope, file: NonNullable<Extensions['files']>[number]): boolean =>
  claims.some(
    ({ type, args }) =>
      type === 'file_written' && typeof args.path === 'string' && filesAt(args.path, [file]).length > 0,
  );

/** Takes a message; returns what the receiver acts on and no claim is about: nothing was compared with it. */
export const unclaimed = (message: Envelope, { tree, files = [] }: Extensions): readonly Finding[] => [
  ...(tree === undefined || message.claims?.some(({ type }) => type === 'tests_passed')
    ? []
    : [finding('PCM_TREE_UNCLAIMED', '/claims', `no claim is of a suite on the tree ${tree}`)]),
  ...files
    .filter((file) => !isOfFile(message, file))
    .map(({ path }) => finding('PCM_FILE_UNCLAIMED', '/claims', `no claim is of the file ${path}`)),
];
