import type { Bytes, Dataset, Message } from '../dataset.ts';
import { bytesOf } from '../dataset.ts';
import type { Context, World } from '../receivers/receiver.ts';

/** What the pinned logs of a dataset hold, and which grants their signers issued. */
const worldOf = ({ head, journals }: Dataset): World => {
  const logged = head.logs.filter(({ pinned }) => pinned).flatMap(({ name }) => journals[name]!);
  const grants = logged.filter(({ event }) => event.type === 'ext' && event.data.name === 'pcm.grant');
  return {
    records: new Set(logged.map(({ hash }) => hash)),
    grants: new Set(grants.map(({ event }) => event.data.grant as string)),
  };
};

/** A message as its receiver gets it. */
export type Received = { readonly bytes: Uint8Array; readonly context: Context };

/** Takes a dataset; returns how each of its messages is received, as it is or (`fresh`) with fresh evidence where its sender shows that. */
export const receivedOf = (dataset: Dataset): ((message: Message, fresh?: boolean) => Received) => {
  const { me, trust, schemas } = dataset.head;
  const shared = {
    trust: Buffer.from(JSON.stringify(trust)),
    schemas: schemas.map((schema) => Buffer.from(JSON.stringify(schema))),
    me,
    world: worldOf(dataset),
  };
  return (message, fresh = false) => {
    const { now, started, sender, held, earlier = [] } = message;
    const sent: Bytes = fresh && message.fresh !== undefined ? { text: message.fresh } : message;
    const context = {
      ...shared,
      now,
      started,
      sender,
      earlier: earlier.map((one) => ({ bytes: bytesOf(one), now: one.now })),
      ...(held === undefined ? {} : { held }),
    };
    return { bytes: bytesOf(sent), context };
  };
};
