/** Loaded into every process and worker thread of a captured command. Whatever fails here, the program runs as without it. */
import { CHANNEL_VARIABLE } from '../channel/variable.ts';
import { install } from './install.ts';

const channel = process.env[CHANNEL_VARIABLE];
if (channel !== undefined) {
  try {
    install(channel);
  } catch {
    // The recorder misses this process, and its bundle says so.
  }
}
