import type { Proven } from '../evidence.ts';
import { isTestCommand } from '../test-command.ts';
import { judgeCall, type OpenedCall, openedCalls } from './calls.ts';
import { best, type ClaimRule, isOfStrings } from './judgement.ts';

/** The calls of exactly this command line that ended well. */
export const callsOfSuite = (records: readonly Proven[], suite: string): readonly OpenedCall[] =>
  openedCalls(records).filter(({ args }) => args.command === suite);

/** `tests_passed {suite}`: this exact command line exited 0 (docs/PCM.md section 10). */
export const testsPassed: ClaimRule = {
  malformed: (args) => {
    if (!isOfStrings(args, 'suite')) return 'its args are suite alone, a string';
    return isTestCommand(args.suite as string) ? null : 'suite is no test command';
  },
  judge: ({ suite }, records) =>
    best(
      callsOfSuite(records, suite as string).map((call) => judgeCall(call, 'shell', 'run')),
      'no opened call of this command ended well',
    ),
};
