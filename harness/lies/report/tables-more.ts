import type { Table } from '../../experiment/tables.ts';
import { median } from '../../figures/statistics.ts';
import { CLASSES, NAMES } from '../classes.ts';
import { bytesOf, type Message } from '../dataset.ts';
import { jcs } from '../receivers/jcs.ts';
import { pcmExtended, pcmNative, pcmPortable } from '../receivers/pcm.ts';
import { CONJUNCTIONS, MODELS } from '../receivers/receivers.ts';
import { SECOND } from '../receivers/second-verifier.ts';
import { REASON_CLASSES } from '../score/reason-class.ts';
import { count, ofClass, type Results } from '../score/results.ts';

const VERDICTS = ['accept', 'accept-unproven', 'reject', 'bad-input'] as const;

/** What our verifier said of each class: verdicts, and the first stage at which messages fell short. */
export const reasonsTable = (results: Results): Table => ({
  id: 'reasons',
  title: 'What our verifier said',
  caption:
    'Verdicts of our verifier without extensions, and the first stage at which a message fell short (none: nowhere). accept-unproven counts as not accepted.',
  columns: [
    { key: 'class', title: 'class' },
    { key: 'title', title: 'what it is' },
    ...VERDICTS.map((verdict) => ({ key: verdict, title: verdict })),
    ...REASON_CLASSES.map((reason) => ({ key: `class_${reason}`, title: `by ${reason}` })),
  ],
  rows: NAMES.map((name) => {
    const of = ofClass(results, name);
    return [
      name,
      CLASSES[name].title,
      ...VERDICTS.map((verdict) => count(of, ({ row }) => row.native.verdict === verdict)),
      ...REASON_CLASSES.map((reason) => count(of, ({ row }) => row.native.class === reason)),
    ];
  }),
});

/** What each receiver is built from. */
export const sourcesTable = (): Table => ({
  id: 'sources',
  title: 'What the receivers are',
  caption:
    'A model is what one protocol lets a receiver check, built from the text named here; harness/lies/receivers says at the head of each what its sender can present and which section each check is of.',
  columns: [
    { key: 'receiver', title: 'receiver' },
    { key: 'source', title: 'built from' },
  ],
  rows: [
    [pcmNative.name, `${pcmNative.source}, cryptography of the runtime`],
    [pcmPortable.name, `${pcmPortable.source}, cryptography of its own, as in a browser`],
    [SECOND, 'docs/PCM.md alone, in Python (tests/interop/pcm)'],
    [pcmExtended.name, 'docs/PCM-EXTENSIONS.md'],
    ...MODELS.map(({ name, source }) => [name, source]),
    ...Object.entries(CONJUNCTIONS).map(([name, of]) => [name, `accepts what all of these accept: ${of.join('; ')}`]),
  ],
});

/** How many messages pass one or several models together when a check alone is turned off. */
const alone = (results: Results, models: readonly string[], id: string): number =>
  count(results.results, ({ row }) => {
    const broken = models.flatMap((model) => row.broken[model] ?? []);
    return broken.length === 1 && broken[0] === id;
  });

/** Each check of each model: how often it was the first to refuse, and how many messages pass when it alone is turned off. */
export const checksTable = (results: Results): Table => ({
  id: 'checks',
  title: 'Checks of the models',
  caption:
    'Refused first: messages that this check was the first to refuse. Turned off: messages that the model then accepts; of a check with 0 there, another refuses them too or ' +
    'nothing in this dataset breaks it. Such a check never decides here. In three, in six: the same for the two conjunctions.',
  columns: [
    { key: 'model', title: 'model' },
    { key: 'check', title: 'check' },
    { key: 'section', title: 'section' },
    { key: 'first', title: 'refused first' },
    { key: 'off', title: 'turned off' },
    { key: 'off_three', title: 'in three' },
    { key: 'off_six', title: 'in six' },
    { key: 'decides', title: 'decides' },
  ],
  rows: MODELS.flatMap(({ name, rules }) =>
    rules.map(({ id, section }) => {
      const off = alone(results, [name], id);
      const together = Object.values(CONJUNCTIONS).map((of) => (of.includes(name) ? alone(results, of, id) : null));
      const first = count(results.results, ({ row }) => row.broken[name]?.[0] === id);
      return [name, id, section, first, off, ...together, off > 0 ? 'yes' : 'never'];
    }),
  ),
});

type Members = Readonly<Record<string, unknown>>;
const bytesIn = (value: unknown): number => Buffer.byteLength(jcs(value));

/** The message as plain A2A carries it: without signature, grants and evidence. */
const plain = ({ sig: _sig, grants: _grants, claims, ...message }: Members): Members => ({
  ...message,
  ...(claims === undefined
    ? {}
    : { claims: (claims as readonly Members[]).map(({ evidence: _evidence, ...claim }) => claim) }),
});

const SIZED = ['tests_passed', 'reached_host', 'file_written', 'approved_by'] as const;

const typesOf = (message: Members): readonly string[] =>
  ((message.claims ?? []) as readonly Members[]).map(({ type }) => type as string);

const sizesOf = (texts: readonly string[]) =>
  texts.map((text) => {
    const message = JSON.parse(text) as Members;
    const [whole, bare] = [bytesIn(message), bytesIn(plain(message))];
    return { whole, bare, ratio: whole / bare };
  });

/** How long honest messages are, by what they claim. */
export const sizesTable = (results: Results): Table => {
  const honest = ofClass(results, 'honest').map(({ message }) => message);
  const textOf = (message: Message): string => Buffer.from(bytesOf(message)).toString();
  const row = (name: string, texts: readonly string[]) => {
    const sizes = sizesOf(texts);
    return [
      name,
      sizes.length,
      ...(['whole', 'bare', 'ratio'] as const).map((of) =>
        sizes.length === 0 ? null : median(sizes.map((one) => one[of])),
      ),
    ];
  };
  const claiming = (type: string) => (message: Message) =>
    typesOf(JSON.parse(textOf(message)) as Members).includes(type);
  return {
    id: 'sizes',
    title: 'Size of honest messages',
    caption:
      'Bytes of the message as compact JSON with sorted keys, beside the same message without sig, grants and evidence, which is what plain A2A carries; medians, and the median of ' +
      'the ratio of each message. With fresh evidence: the same message with every record of the run since the call.',
    columns: [
      { key: 'claim', title: 'claim' },
      { key: 'messages', title: 'n' },
      { key: 'bytes', title: 'bytes' },
      { key: 'plain_bytes', title: 'as plain A2A' },
      { key: 'ratio', title: 'ratio', digits: 2 },
    ],
    rows: [
      ...SIZED.map((type) => row(type, honest.filter(claiming(type)).map(textOf))),
      row('a grant, no claim', honest.filter((message) => message.part === 'grants').map(textOf)),
      ...(['tests_passed', 'file_written'] as const).map((type) =>
        row(
          `${type}, fresh evidence`,
          honest.filter(claiming(type)).flatMap(({ fresh }) => (fresh === undefined ? [] : [fresh])),
        ),
      ),
    ],
  };
};
