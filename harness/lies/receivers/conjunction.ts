import type { Receiver } from './receiver.ts';

/** Takes receivers; returns one that accepts what all of them accept, and is decided by the first that refuses. */
export const conjunctionOf = (name: string, receivers: readonly Receiver[]): Receiver => ({
  name,
  source: receivers.map((receiver) => receiver.name).join('; '),
  checks: receivers.flatMap(({ checks }) => checks),
  receive: async (message, context) => {
    for (const receiver of receivers) {
      const decision = await receiver.receive(message, context);
      if (!decision.accepted) return decision;
    }
    return { accepted: true, decidedBy: null };
  },
});
