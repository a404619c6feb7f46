import {
  type Crypto,
  createReplay,
  nativeCrypto,
  portableCrypto,
  readPcmSchema,
  readPcmTrust,
  verifyMessage,
} from '../../../src/index.ts';
import { median } from '../../figures/statistics.ts';
import type { Dataset } from '../dataset.ts';
import { receivedOf } from './context.ts';

/** Milliseconds of the verify call alone: for each message that could be read, the median of its calls. */
export type Times = Readonly<Record<'native' | 'portable', Readonly<Record<string, number>>>>;

const CALLS = 5;

const timesOf = (
  { head, messages }: Dataset,
  received: ReturnType<typeof receivedOf>,
  crypto: Crypto,
): Record<string, number> => {
  const trust = readPcmTrust(Buffer.from(JSON.stringify(head.trust)), crypto);
  const schemas = head.schemas.map((schema) => readPcmSchema(Buffer.from(JSON.stringify(schema)), crypto));
  if (!trust.ok) throw new Error(trust.findings[0].detail);
  const receiver = {
    trust: trust.value,
    schemas: schemas.map((read) => {
      if (!read.ok) throw new Error(read.findings[0].detail);
      return read.value;
    }),
    me: head.me,
  };
  const times: Record<string, number> = {};
  for (const message of messages) {
    const { bytes, context } = received(message);
    const taken: number[] = [];
    let isRead = true;
    for (let call = 0; call < CALLS; call++) {
      const freshness = { replay: createReplay(context.started), now: context.now };
      const before = performance.now();
      const { verdict } = verifyMessage(bytes, receiver, freshness, crypto);
      taken.push(performance.now() - before);
      isRead = verdict !== 'bad-input';
    }
    if (isRead) times[message.id] = median(taken);
  }
  return times;
};

/** Measures our verifier on every message, after a round that is not counted. */
export const measure = (dataset: Dataset): Times => {
  const received = receivedOf(dataset);
  const warm = { ...dataset, messages: dataset.messages.slice(0, 100) };
  const of = (crypto: Crypto): Record<string, number> => {
    timesOf(warm, received, crypto);
    return timesOf(dataset, received, crypto);
  };
  return { native: of(nativeCrypto), portable: of(portableCrypto) };
};
