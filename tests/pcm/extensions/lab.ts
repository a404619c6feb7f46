import type { Extensions } from '../../../src/pcm/extensions/options.ts';
import type { PcmJudged } from '../../../src/pcm/result.ts';
import { verifyMessage } from '../../../src/pcm/verify.ts';
import { nativeCrypto } from '../../../src/store/native-crypto.ts';
import {
  ATTESTED,
  bytesOf,
  callOf,
  canonicalOf,
  eventOf,
  evidenceOf,
  type Members,
  messageOf,
  receiverOf,
  SCHEMA,
  sha256Text,
} from '../lab.ts';

const RUN = 'run-1';
/** When the head of a ten-record run is written, by the signer's clock. */
export const at = (s: number): string => `2026-11-30T12:00:${String(s).padStart(2, '0')}.000000Z`;

/** What a run does, one step: a decision, a result, or a note of the signer. */
export type Step = { readonly type: string; readonly data: Members; readonly more?: Members; readonly opens?: Members };

let calls = 0;
/** A call: its decision and its result; `ok` null: it has none yet. `open` false: the sender does not show its args. */
export const call = (
  tool: string,
  args: Members,
  {
    ok = true as boolean | null,
    open = true,
    who = ATTESTED as Members,
    decision = 'allow',
    result = {} as Members,
  } = {},
): readonly Step[] => {
  const id = `c${++calls}`;
  const [decided] = callOf(tool, args).events as [Members & { data: Members }];
  const ids = { tool_use_id: id, decision_id: `d-${id}` };
  const deciding = { type: 'policy.decision', data: { ...decided.data, ...ids, decision }, more: who };
  return [
    open ? { ...deciding, opens: args } : deciding,
    ...(ok === null ? [] : [{ type: 'tool.result', data: { ...ids, ok, ...result }, more: who }]),
  ];
};
export const T1: Members = {};
export const suite = (more: Parameters<typeof call>[2] = {}, command = 'pytest'): readonly Step[] =>
  call('Bash', { command }, more);
export const write = (
  content: string,
  more: Parameters<typeof call>[2] = {},
  file_path = '/repo/a.py',
): readonly Step[] => call('Write', { file_path, content }, more);

export const note = (name: string, data: Members = {}): readonly Step[] => [
  { type: 'ext', data: { name, ...data }, more: { source: 'signer' } },
];
/** A head as the signer writes it, with what is said of it otherwise. */
export const head = (said: Members = {}, more: Members = {}): readonly Step[] => [
  { type: 'ext', data: { name: 'pcm.head', ...said }, more: { source: 'signer', ...more } },
];

/** The events of a run from `run_seq` 0 on, each the next of the one before; the log holds this run alone. */
export const eventsOf = (steps: readonly Step[], change: (event: Members, i: number) => Members = (event) => event) => {
  const events: Members[] = [];
  for (const [i, { type, data, more = {} }] of steps.entries()) {
    const before = events.at(-1);
    const isHead = type === 'ext' && data.name === 'pcm.head';
    const filled: Members = isHead ? { run: RUN, last: i - 1, size: i + 1, ...data } : data;
    events.push(
      change(
        eventOf(i, type, filled, {
          ts: at(i),
          run_seq: i,
          run_prev_hash: before === undefined ? `sha256:${'0'.repeat(64)}` : sha256Text(canonicalOf(before)),
          ...more,
        }),
        i,
      ),
    );
  }
  return events;
};

export type Kept = (record: Members, i: number) => boolean;
type Told = { readonly keep?: Kept; readonly change?: (event: Members, i: number) => Members };

/** Evidence of what a run did, in the order of the run, of which a sender keeps some. */
export const evidenceFrom = (steps: readonly Step[], { keep = () => true, change }: Told = {}) => {
  const opened = Object.fromEntries(steps.flatMap(({ opens }, i) => (opens === undefined ? [] : [[i, opens]])));
  const { checkpoint, records } = evidenceOf(eventsOf(steps, change), opened);
  return { checkpoint, records: records.filter(keep) };
};

export const TESTS = { type: 'tests_passed', args: { suite: 'pytest' } };
export const FILE = { type: 'file_written', args: { path: '/repo/a.py', digest: sha256Text('good') } };
export const host = (name = 'api.example') => ({ type: 'reached_host', args: { host: name } });

export const judge = (
  claims: readonly Members[],
  extensions?: Extensions,
  { schema = SCHEMA, strict = false } = {},
): PcmJudged => {
  const receiver = { ...receiverOf(schema), strict, ...(extensions === undefined ? {} : { extensions }) };
  return verifyMessage(
    bytesOf(messageOf({ claims: claims as Members[] }, schema)),
    receiver,
    null,
    nativeCrypto,
  ) as PcmJudged;
};

/** The result and the reason of a claim about a run, with what a receiver asks, and without. */
export const claimOf = (
  claim: Members,
  steps: readonly Step[],
  extensions: Extensions = { fresh: {} },
  told: Told = {},
) => {
  const [judged] = judge([{ ...claim, evidence: evidenceFrom(steps, told) as unknown as Members }], extensions).claims;
  return [judged!.result, judged!.reason];
};
/** The same by PCM 0.1 alone. */
export const plainly = (claim: Members, steps: readonly Step[], told: Told = {}) => {
  const [judged] = judge([{ ...claim, evidence: evidenceFrom(steps, told) as unknown as Members }]).claims;
  return judged!.result;
};
export const PROVEN = ['proven', 'PCM_CLAIM_PROVEN'];
