/** Runs one place of the experiment as a process of its own: `node main.ts KIND [NAME]`. */
import { type Place, type Surroundings, servePlace } from './protocol.ts';

type Open = (surroundings: Surroundings) => Promise<Place>;

/** Each kind loads only what it is made of. */
const OPENERS: Readonly<Record<string, (name: string) => Promise<Open>>> = {
  agent: async (name) => (await import('./agent.ts')).openAgent(name),
  queue: async () => (await import('./queue.ts')).openQueue,
  renderer: async () => (await import('./renderer.ts')).openRenderer,
  'uri-service': async () => (await import('./uri-service.ts')).openUriService,
};

const [kind = '', name = ''] = process.argv.slice(2);
servePlace(await OPENERS[kind]!(name));
