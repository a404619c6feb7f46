import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, quantile } from '../harness/figures/statistics.ts';
import {
  createReplay,
  nativeCrypto,
  PCM_MEDIA_TYPE,
  type PcmResult,
  type Receiver,
  readPcmSchema,
  readPcmTrust,
  verifyMessage,
} from '../src/index.ts';

/** `tsx bench/pcm.ts`: verifying proof-carrying messages and their size in A2A, beside the same messages as plain A2A carries them; a table, or JSON. */

const VECTORS = fileURLToPath(new URL('../tests/vectors/pcm/', import.meta.url));
const STARTED = '0001-01-01T00:00:00.000000Z';
const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

type Claim = { readonly type: string; readonly evidence?: unknown };
type Message = Readonly<Record<string, unknown>> & { readonly ts: string; readonly claims?: readonly Claim[] };
type Vector = {
  readonly message: Message;
  readonly trust: string;
  readonly schemas: readonly string[];
  readonly me: string | null;
  readonly expected: { readonly verdict?: string };
};

const readOf = <T>(read: PcmResult<T>): T => {
  if (read.ok) return read.value;
  throw new Error(read.findings[0].detail);
};

/** A key or a schema is read once, as a receiver reads it. */
const once = <T>(read: (name: string) => T): ((name: string) => T) => {
  const known = new Map<string, T>();
  return (name) => {
    const value = known.get(name) ?? read(name);
    known.set(name, value);
    return value;
  };
};
const documents = JSON.parse(readFileSync(`${VECTORS}documents.json`, 'utf8'));
const trustOf = once((name) => readOf(readPcmTrust(encode(documents.trusts[name]), nativeCrypto)));
const schemaOf = once((name) => readOf(readPcmSchema(encode(documents.schemas[name]), nativeCrypto)));

/** The vectors whose message is accepted by who it is for. */
const accepted = (): readonly Vector[] =>
  readdirSync(VECTORS)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) =>
      readFileSync(VECTORS + name, 'utf8')
        .trimEnd()
        .split('\n'),
    )
    .map((line) => JSON.parse(line) as Vector)
    .filter(({ expected, message, me }) => expected.verdict === 'accept' && message !== undefined && me !== null);

/** What plain A2A would carry: the message without what proves it. */
const plainOf = ({ sig: _s, grants: _g, claims, ...rest }: Message) => ({
  ...rest,
  ...(claims === undefined ? {} : { claims: claims.map(({ evidence: _e, ...claim }) => claim) }),
});
const requestOf = (part: object): Uint8Array =>
  encode({
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [part] } },
  });

type Case = {
  readonly kind: string;
  /** Request of A2A: with the message, and the plain one. */
  readonly request: Uint8Array;
  readonly plain: Uint8Array;
  readonly verify: () => void;
  readonly parse: () => void;
};

const kindOf = ({ claims = [], grants }: Message): string =>
  [...new Set(claims.map(({ type }) => type)), ...(grants === undefined ? [] : ['grant'])].sort().join(' + ') || 'bare';

const caseOf = ({ message, trust, schemas, me }: Vector): Case => {
  const bytes = encode(message);
  const receiver: Receiver = { trust: trustOf(trust), schemas: schemas.map(schemaOf), me: me! };
  const plain = requestOf({ data: plainOf(message), mediaType: 'application/json' });
  const text = new TextDecoder().decode(plain);
  return {
    kind: kindOf(message),
    request: requestOf({ text: JSON.stringify(message), mediaType: PCM_MEDIA_TYPE }),
    plain,
    verify: () => {
      const freshness = { replay: createReplay(STARTED), now: message.ts };
      const { verdict } = verifyMessage(bytes, receiver, freshness, nativeCrypto);
      if (verdict !== 'accept') throw new Error(`a message that is accepted was not: ${verdict}`);
    },
    parse: () => {
      JSON.parse(text);
    },
  };
};

/** Microseconds of a piece of work. */
const timeOf = (work: () => void): number => {
  const from = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - from) / 1000;
};

type Spread = { readonly p50: number; readonly p99: number };
const spreadOf = (times: readonly number[]): Spread => ({ p50: median(times), p99: quantile(times, 0.99) });
type Row = {
  readonly kind: string;
  readonly messages: number;
  /** Bytes of the request, medians; `ratio` is the median of each message's own. */
  readonly size: { readonly pcm: number; readonly plain: number; readonly ratio: number };
  /** Microseconds: verifying a message, and parsing the plain request. */
  readonly verify: Spread;
  readonly parse: Spread;
};

const WARM_UPS = 20;

/** The cases take turns, so that what else the machine does falls on all of them. */
const measure = (cases: readonly Case[], rounds: number): readonly Row[] => {
  const times = cases.map(() => ({ verify: [] as number[], parse: [] as number[] }));
  for (let round = -WARM_UPS; round < rounds; round++) {
    for (const [i, { verify, parse }] of cases.entries()) {
      const took = { verify: timeOf(verify), parse: timeOf(parse) };
      if (round < 0) continue;
      times[i]!.verify.push(took.verify);
      times[i]!.parse.push(took.parse);
    }
  }
  return [...new Set(cases.map(({ kind }) => kind))].sort().map((kind) => {
    const of = cases.map((one, i) => ({ ...one, times: times[i]! })).filter((one) => one.kind === kind);
    return {
      kind,
      messages: of.length,
      size: {
        pcm: median(of.map(({ request }) => request.length)),
        plain: median(of.map(({ plain }) => plain.length)),
        ratio: median(of.map(({ request, plain }) => request.length / plain.length)),
      },
      verify: spreadOf(of.flatMap((one) => one.times.verify)),
      parse: spreadOf(of.flatMap((one) => one.times.parse)),
    };
  });
};

const HEAD = ['claims', 'messages', 'B in A2A', 'B plain', 'times', 'verify p50', 'p99', 'parse plain p50', 'p99'];
const tableOf = (rows: readonly Row[]): string => {
  const cells = rows.map(({ kind, messages, size, verify, parse }) => [
    kind,
    String(messages),
    size.pcm.toFixed(0),
    size.plain.toFixed(0),
    size.ratio.toFixed(1),
    ...[verify.p50, verify.p99, parse.p50, parse.p99].map((us) => us.toFixed(0)),
  ]);
  const widths = HEAD.map((_, column) => Math.max(...[HEAD, ...cells].map((row) => row[column]!.length)));
  return [HEAD, ...cells].map((row) => `${row.map((cell, i) => cell.padStart(widths[i]!)).join('  ')}\n`).join('');
};

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, json: { type: 'boolean', default: false } },
});
const cases = accepted().map(caseOf);
const rows = measure(cases, Number(values.rounds));
const environment = { node: process.version, platform: process.platform, cores: availableParallelism() };
process.stdout.write(
  values.json ? `${JSON.stringify({ environment, rows }, null, 2)}\n` : `${tableOf(rows)}\nMicroseconds and bytes.\n`,
);
