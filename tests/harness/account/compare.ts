import { createHash } from 'node:crypto';
import type { Run } from '../../../harness/demo/run.ts';
import { LOOKALIKE, TRUSTED } from '../../../harness/lab/cards.ts';
import type { ServedRequest } from '../../../harness/lab/network.ts';
import type { Bundle, RecordOf } from '../../../src/evidence/bundle.ts';
import type { Collection } from '../../../src/evidence/collections.ts';

/** A bundle, and what really happened by the accounts that no capture wrote. */
export type Case = { readonly bundle: Bundle; readonly run: Run };
/** What a record must hold, member by member. */
export type Expected<C extends Collection> = { readonly [M in keyof RecordOf<C>]?: unknown };

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
export const AGENTS = [...TRUSTED, LOOKALIKE];
export const agentAt = (host: string): string | null => AGENTS.find((agent) => agent.host === host)?.agent ?? null;
export const hostOf = (url: string | null): string => (url === null ? '' : new URL(url).hostname);

export const wholeBody = (text: string) => ({
  text,
  encoding: 'utf8',
  size: Buffer.byteLength(text),
  sha256: sha256(text),
  truncated: null,
});

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
};
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** Holds records, in order, to what happened, in order; returns the differences in words. */
export const hold = <C extends Collection>(
  collection: C,
  records: readonly RecordOf<C>[],
  happened: readonly Expected<C>[],
): string[] => {
  const wrong = records.length === happened.length ? [] : [`${collection}: ${records.length} for ${happened.length}`];
  for (const [at, record] of records.entries()) {
    for (const [member, value] of Object.entries(happened[at] ?? {})) {
      const recorded = (record as Readonly<Record<string, unknown>>)[member];
      if (!isSame(recorded, value)) {
        wrong.push(
          `${collection}[${at}].${member} is ${JSON.stringify(recorded)}; what happened: ${JSON.stringify(value)}`,
        );
      }
    }
  }
  return wrong;
};

const isCall = ({ method, path }: ServedRequest): boolean => method === 'POST' && path === '/a2a';
const isCardFetch = ({ path }: ServedRequest): boolean => path === '/.well-known/agent-card.json';

/** The first request for the card of each host, in the order of the fetches. */
export const cardFetches = ({ run }: Case): readonly ServedRequest[] => {
  const first = new Map<string, ServedRequest>();
  for (const request of run.witness.served.filter(isCardFetch)) {
    if (!first.has(request.host)) first.set(request.host, request);
  }
  return [...first.values()];
};

/** The A2A calls that the servers served, in the order in which the exchanges of an observer began. */
export const callsOf = ({ bundle, run }: Case, observer: string): readonly ServedRequest[] => {
  const order = bundle.exchanges.filter((exchange) => exchange.observer === observer);
  const placeOf = (call: ServedRequest): number =>
    order.findIndex(({ request_body }) => request_body?.text === call.body);
  return run.witness.served.filter(isCall).sort((a, b) => placeOf(a) - placeOf(b));
};

/** The five headers that a record may keep, of a raw header list, or of an object. */
export const keptHeaders = (pairs: Iterable<readonly [string, unknown]>): (readonly [string, string])[] => {
  const names = ['content-type', 'content-encoding', 'a2a-version', 'a2a-extensions', 'location'];
  return [...pairs].flatMap(([name, value]) =>
    names.includes(name.toLowerCase()) ? [[name.toLowerCase(), String(value)] as const] : [],
  );
};
export const rawPairs = (raw: readonly string[]): (readonly [string, string])[] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));

type Json = Readonly<Record<string, unknown>>;
export const parsed = (text: string): Json => JSON.parse(text) as Json;
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce((inner, name) => (inner as Record<string | number, unknown> | null | undefined)?.[name], value) ?? null;
