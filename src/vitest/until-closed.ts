/** What the recorder runs beside vitest: tells what watched processes need in their environment, and ends with the process that started it. */
import { CHANNEL_VARIABLE } from '../capture/channel/variable.ts';

const told = ['NODE_OPTIONS', CHANNEL_VARIABLE].map((name) => [name, process.env[name]]);
process.stdout.write(`${JSON.stringify(Object.fromEntries(told))}\n`);
process.stdin.resume();
