// node server-alone.mjs FILE: an agent that serves until it is killed, and writes its URL into the file.
import { renameSync, writeFileSync } from 'node:fs';
import { startAgent } from './agent.mjs';

const [file] = process.argv.slice(2);
const { url } = await startAgent('alone', async () => 'here');
writeFileSync(`${file}.new`, url);
renameSync(`${file}.new`, file);
