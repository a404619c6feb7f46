import type { JsonObject } from '../../base/json-value.ts';
import { forbidden } from '../refused.ts';
import type { Wire } from './wire.ts';

/** A call that waits for the answer of an approver. */
export type Pending = { readonly run: string; readonly approval_id: string; readonly args: JsonObject };

/** Waits until a call is approved. Rejects with Refused when it is rejected, or nobody answers in time. */
export const approved = async (wire: Wire, pending: Pending, timeoutS: number): Promise<void> => {
  const until = performance.now() + timeoutS * 1000;
  for (;;) {
    const { answer } = await wire.call<{ answer: string | null }>('approval_wait', pending);
    if (answer === 'approve') return;
    if (answer !== null) throw forbidden(`the approval ${pending.approval_id} was not given: ${answer}`);
    if (performance.now() >= until)
      throw forbidden(`nobody answered the approval ${pending.approval_id} within ${timeoutS} s`);
  }
};
