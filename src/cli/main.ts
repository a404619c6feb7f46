#!/usr/bin/env node
/** Node ends with 1 when something fails that nobody caught, and 1 is a verdict: nothing fails outside of this page. */
const COULD_NOT_CHECK = 2;

const crash = (error: unknown): never => {
  process.stderr.write(`forensictrace: ${error instanceof Error ? error.message : 'internal error'}\n`);
  process.exit(COULD_NOT_CHECK);
};

process.on('uncaughtException', crash);
/** A reader that has left (`| head -1`) has what it came for, and the verdict stands; on a full disk the report is lost. */
const guardStreams = (): void => {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') crash(error);
  });
};

const start = async (): Promise<void> => {
  try {
    const { bundledProgram } = await import('./bundled.ts');
    const bundled = bundledProgram(process.argv[2]);
    // What is bundled writes past the streams, or ends with the code of a crash.
    if (bundled === null) guardStreams();
    const { main } = bundled ?? (await import('./program.ts'));
    await main(process.argv);
  } catch (error) {
    crash(error);
  }
};
// The build makes a module of CommonJS of this page, which Node starts sooner: nothing may be awaited here.
void start();
