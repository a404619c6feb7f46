import type { CaptureContext } from '../context.ts';
import type { Observer } from '../session.ts';
import type { CallStart } from './call.ts';
import type { CardDesk } from './card-desk.ts';
import type { ProxyView } from './proxy-view.ts';
import type { Redirected, Redirects } from './redirects.ts';
import type { Routing } from './routing.ts';
import type { Sides } from './sides.ts';
import type { TaskLoad } from './task-load.ts';

/** What one recorder of the wire knows, for all the kinds of calls that it records. */
export type WireState = {
  readonly context: CaptureContext;
  readonly observer: Observer;
  /** Milliseconds. */
  readonly clock: () => number;
  readonly desk: CardDesk;
  readonly sides: Sides;
  readonly redirects: Redirects;
  readonly routing: Routing;
  readonly load: TaskLoad;
  /** Of a proxy; null where processes tell of themselves. */
  readonly view: ProxyView | null;
};

/** The agent on whose behalf a call is sent: the one that serves meanwhile, else the only one that its process serves. */
export const agentOf = ({ sides, desk }: WireState, { cause, process, url }: CallStart): string | null => {
  const served = sides.causeOf(cause);
  if (served !== null) return served.agent;
  const only = sides.onlyAgentOf(process);
  // A test that talks to the agent in its own process is not that agent.
  return only === desk.agentAt(url) ? null : only;
};

/** A response may send its client on. */
export const answered = (
  { redirects, view, context }: WireState,
  start: CallStart,
  status: number,
  headers: CallStart['headers'],
  from: Redirected,
): void => {
  const next = redirects.answered(start, status, headers, from);
  if (next === null || !view?.leadsPast(next, start)) return;
  context.session.gap(
    `a redirect leads past every proxy, to ${new URL(next).origin}: whether it was followed was not seen`,
  );
};
