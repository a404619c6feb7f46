import * as z from 'zod';
import { forbidden } from '../refused.ts';
import { paramsOf } from '../shape.ts';
import type { Method } from './method.ts';
import { Count, RunId } from './params.ts';

const Host = z.string().min(1).max(256);
const Port = z.number().int().min(1).max(65_535);

/** What an egress observer saw: connections that opened, in the time it looked at. */
const Net = z.strictObject({ run: RunId, kind: z.literal('net'), host: Host, port: Port, connections: Count(1e9) });
/** What a sensor saw: an attempt to connect, and whether it was denied. */
const Connect = z.strictObject({ run: RunId, kind: z.literal('connect'), host: Host, port: Port, denied: z.boolean() });

const KIND_OF = { egress: Net, sensor: Connect } as const;

/** Writes down, as the signer's own record, what an observer of a role for it saw a run do. */
export const observe: Method = {
  counts: true,
  call: async ({ book }, caller, params) => {
    if (caller.role !== 'egress' && caller.role !== 'sensor')
      throw forbidden(
        `${caller.id} has the role ${caller.role}: effects are reported by an observer, of the role egress or sensor`,
      );
    const { run: id, ...seen } = paramsOf(KIND_OF[caller.role], params);
    const run = book.runs.get(id);
    if (run?.tenant !== caller.tenant) throw forbidden(`the tenant ${caller.tenant} has no run ${id}`);
    const data = caller.role === 'egress' ? { ...seen, observer: caller.id } : { ...seen, sensor: caller.id };
    const { runSeq } = await book.record(run, { type: 'effect.observed', source: 'signer', data });
    return { run_seq: runSeq };
  },
};
