import { plainVerify } from './plain-verify.ts';

/** Runs the command that the arguments name; sets the exit code and never throws. */
export const main = async (argv: readonly string[]): Promise<void> => {
  try {
    const plain = argv[2] === 'verify' ? plainVerify(argv.slice(3)) : null;
    if (plain === null) {
      const { runCommand } = await import('./commands.ts');
      await runCommand(argv);
    } else {
      const { runVerify } = await import('./verify.ts');
      process.exitCode = runVerify(...plain);
    }
  } catch (error) {
    const { tell } = await import('./fault.ts');
    process.exitCode = tell(error, argv.includes('--json'));
  }
};
