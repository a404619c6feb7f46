// The agent in a process of its own; it ends with the process that started it.
import { startReader } from './world.mjs';

const agent = await startReader();
process.on('disconnect', () => process.exit());
process.send(agent.url);
