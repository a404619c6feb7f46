// node client-alone.mjs FILE: sends one message to the agent whose URL comes to stand in the file.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { ClientFactory } from '@a2a-js/sdk/client';
import { message } from './agent.mjs';

const [file] = process.argv.slice(2);
while (!existsSync(file)) await setTimeout(20);
const client = await new ClientFactory().createFromUrl(readFileSync(file, 'utf8'));
await client.sendMessage({ message: message('m-1', 'are you there?') });
