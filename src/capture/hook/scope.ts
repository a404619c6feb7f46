import { AsyncLocalStorage } from 'node:async_hooks';

/** What the code that runs now is part of, as far as the hook knows it. */
export type HookScope = {
  /** The call that this process is serving. */
  readonly serving: number | null;
  /** The test that runs. */
  readonly test: string | null;
};

const NOWHERE: HookScope = { serving: null, test: null };

/** One for each thread: calls, events and tests are joined by the asynchronous context, never by time. */
export const scope = new AsyncLocalStorage<HookScope>();
export const here = (): HookScope => scope.getStore() ?? NOWHERE;
