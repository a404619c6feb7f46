/** Runs one place of the experiment as a process of its own: `node main.ts KIND [NAME]`. */
import { openAgent } from './agent.ts';
import { servePlace } from './protocol.ts';
import { openQueue } from './queue.ts';
import { openRenderer } from './renderer.ts';
import { openUriService } from './uri-service.ts';

const [kind, name = ''] = process.argv.slice(2);
const OPENERS = {
  agent: openAgent(name),
  queue: openQueue,
  renderer: openRenderer,
  'uri-service': openUriService,
} as const;
servePlace(OPENERS[kind as keyof typeof OPENERS]);
