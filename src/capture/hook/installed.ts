import type { Reporter } from './reporter.ts';

/** Code that is loaded apart from the hook, as vitest does it, has other instances of these modules and the same process. */
const HOOK = Symbol.for('forensictrace.hook');

/** Lets code of this thread find what reports from it. */
export const setHook = (reporter: Reporter): void => {
  Object.defineProperty(process, HOOK, { value: reporter });
};

/** What reports from this thread; undefined where no hook was installed. */
export const installedHook = (): Reporter | undefined => (process as { readonly [HOOK]?: Reporter })[HOOK];
