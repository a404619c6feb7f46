import { isTestCommand } from '../test-command.ts';
import { judgeCall, openedCalls } from './calls.ts';
import { best, type ClaimRule, isOfStrings } from './judgement.ts';

/** `tests_passed {suite}`: this exact command line exited 0 (docs/PCM.md section 10). */
export const testsPassed: ClaimRule = {
  malformed: (args) => {
    if (!isOfStrings(args, 'suite')) return 'its args are suite alone, a string';
    return isTestCommand(args.suite as string) ? null : 'suite is no test command';
  },
  judge: ({ suite }, records) =>
    best(
      openedCalls(records)
        .filter(({ args }) => args.command === suite)
        .map((call) => judgeCall(call, 'shell', 'run')),
      'no opened call of this command ended well',
    ),
};
