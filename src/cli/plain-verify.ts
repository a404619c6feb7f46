import type { VerifyOptions } from './verify.ts';

/** What the command is run with: bundle, receipt, profile and options. */
type Arguments = readonly [bundle: string, receipt: string, profile: string, options: VerifyOptions];

/** Options of `verify` that need no more than to be kept: those with a value, and those without. */
const WITH_VALUE: ReadonlyMap<string, 'trust' | 'incident' | 'families' | 'settings' | 'out'> = new Map([
  ['--trust', 'trust'],
  ['--incident', 'incident'],
  ['--families', 'families'],
  ['--settings', 'settings'],
  ['--out', 'out'],
]);
const FLAGS: ReadonlyMap<string, 'json' | 'otherProfile'> = new Map([
  ['--json', 'json'],
  ['--other-profile', 'otherProfile'],
]);

/**
 * Takes the arguments of `verify`; returns what the command is run with, or null where they are to be read as those of every other command: three names, and options
 * that stand once, with a value that is no option, are what most verifications are asked with, and to load the parser of arguments takes as long as to read them all.
 */
export const plainVerify = (args: readonly string[]): Arguments | null => {
  const files: string[] = [];
  const options: Record<string, string | boolean> = { mode: 'full' };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (!arg.startsWith('-')) {
      files.push(arg);
      continue;
    }
    const name = WITH_VALUE.get(arg) ?? FLAGS.get(arg);
    if (name === undefined || Object.hasOwn(options, name)) return null;
    const value = FLAGS.has(arg) ? true : args[++at];
    if (value === undefined || (typeof value === 'string' && value.startsWith('-'))) return null;
    options[name] = value;
  }
  const [bundle, receipt, profile, ...more] = files;
  if (bundle === undefined || receipt === undefined || profile === undefined || more.length > 0) return null;
  return [bundle, receipt, profile, options as unknown as VerifyOptions];
};
