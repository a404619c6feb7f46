import type { ENDINGS } from '../evidence/fields.ts';

export type Ending = (typeof ENDINGS)[number];

const TIMEOUTS = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
const MAX_CAUSES = 8;

type Fault = { readonly name?: unknown; readonly code?: unknown; readonly cause?: unknown };

const asFault = (error: unknown): Fault | null => (typeof error === 'object' && error !== null ? error : null);

/** How an exchange ended that failed with this error; `signal`: the one it was started with. */
export const endingOf = (error: unknown, signal?: AbortSignal | null): Ending => {
  let fault = asFault(error);
  for (let depth = 0; fault !== null && depth < MAX_CAUSES; depth++) {
    if (fault.name === 'TimeoutError' || TIMEOUTS.has(String(fault.code))) return 'timeout';
    if (fault.name === 'AbortError') return 'aborted';
    fault = asFault(fault.cause);
  }
  return signal?.aborted && error === signal.reason ? 'aborted' : 'reset';
};
