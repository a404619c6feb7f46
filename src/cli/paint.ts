import pc from 'picocolors';
import type { Paint } from '../report/layout.ts';

/** Colour only on a terminal, and never under NO_COLOR (picocolors asks both). */
export const paintFor = (stream: NodeJS.WriteStream): Paint => {
  const colours = pc.createColors(pc.isColorSupported && stream.isTTY === true);
  const byExit = [colours.green, colours.red, colours.magenta, colours.yellow, colours.red, colours.magenta];
  const byStatus = new Map([
    ['INDICATED', colours.red],
    ['INCONCLUSIVE', colours.yellow],
    ['CONSISTENT', colours.green],
  ]);
  return {
    bold: colours.bold,
    dim: colours.dim,
    verdict: (exitCode, text) => colours.bold((byExit[exitCode] ?? colours.magenta)(text)),
    status: (status, text) => (byStatus.get(status) ?? colours.dim)(text),
  };
};
