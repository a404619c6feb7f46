import * as z from 'zod';
import { forbidden, invalid } from '../refused.ts';
import { paramsOf } from '../shape.ts';
import type { Method } from './method.ts';
import { RunId } from './params.ts';

const Hold = z.strictObject({ run: RunId, state: z.enum(['held', 'quarantined', 'released']) });
/** An operator stops a run while somebody looks at it: held, nothing new is signed for it; quarantined, nothing of it is taken at all. */
export const runHold: Method = {
  counts: true,
  call: async ({ book }, caller, params) => {
    if (caller.role !== 'operator')
      throw forbidden(`${caller.id} has the role ${caller.role}: runs are held and released by an operator`);
    const { run: id, state } = paramsOf(Hold, params);
    const run = book.runs.get(id);
    if (run?.tenant !== caller.tenant) throw forbidden(`the tenant ${caller.tenant} has no run ${id}`);
    if ((run.hold ?? 'released') === state) throw invalid(`the run ${id} is ${state} already`);
    const { runSeq } = await book.record(run, { type: 'run.hold', source: 'signer', data: { state, by: caller.id } });
    return { run: id, state, run_seq: runSeq };
  },
};
