import type { OpenedCall } from '../claims/calls.ts';
import type { Event, Proven } from '../evidence.ts';
import { TOOL_CLASSES } from '../tools.ts';
import type { PcmObject } from '../value.ts';
import type { Range } from './range.ts';

/** A call of a run that ended, or was decided, after another: `ok` null has no result, `tool` null no decision among the records. */
export type Deed = {
  readonly tool: string | null;
  /** Null when it is not opened. */
  readonly args: PcmObject | null;
  readonly ok: boolean | null;
  /** The executor ran it, or will. */
  readonly attested: boolean;
  /** Of the result, or of the decision without one. */
  readonly seq: number;
};

const deedOf = (decision: Proven | undefined, { source, seq }: Event, ok: boolean | null): Deed => {
  const tool = decision?.event.data.tool;
  return {
    tool: typeof tool === 'string' ? tool : null,
    args: decision?.args ?? null,
    ok,
    attested: source === 'gateway',
    seq,
  };
};

/** Takes a range and the call that it begins with; returns what was done after it: calls that ended since, and those that had not at the head. */
export const deedsAfter = ({ placed }: Range, { result }: OpenedCall): readonly Deed[] => {
  const records = placed.map(({ record }) => record);
  const decisions = new Map(
    records.filter(({ event }) => event.type === 'policy.decision').map((one) => [one.event.data.decision_id, one]),
  );
  const results = records.filter(({ event }) => event.type === 'tool.result');
  const ended = new Set(results.map(({ event }) => event.data.decision_id));
  const since = results
    .filter(({ event }) => event.seq > result.seq)
    .map(({ event }) => deedOf(decisions.get(event.data.decision_id), event, event.data.ok === true));
  const open = [...decisions.values()]
    .filter(({ event: { data } }) => data.decision !== 'deny' && !ended.has(data.decision_id))
    .map((decision) => deedOf(decision, decision.event, null));
  return [...since, ...open];
};

/**
 * True for a call that a shell may have run: of that class, or by the executor of a tool that PCM 0.1 does not place, whose action may be anything. What
 * the agent does by itself under a name of its own it could do without telling.
 */
export const mayRun = ({ tool, attested }: Deed): boolean => {
  const placed = tool === null ? undefined : TOOL_CLASSES.get(tool);
  return placed === 'shell' || tool === null || (placed === undefined && attested);
};
