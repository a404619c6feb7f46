import express from 'express';
import { Network } from '../../lab/network.ts';
import { WorkerQueue } from '../../lab/worker-queue.ts';
import type { Entry, Place, Surroundings } from './protocol.ts';

/** The workers of the review agent, behind a queue that measures itself: `POST /take` waits for one, `POST /release/TICKET` gives it back. */
export const openQueue = async ({ parameters }: Surroundings): Promise<Place> => {
  const log: Entry[] = [];
  const network = new Network();
  const queue = new WorkerQueue(Number(parameters.workers ?? 1), () => process.hrtime.bigint());
  const taken = new Map<number, () => void>();
  let tickets = 0;
  const app = express();
  app.post('/take', async (_, response) => {
    const release = await queue.take();
    const ticket = tickets++;
    taken.set(ticket, release);
    log.push({ what: 'worker_taken', ticket });
    response.json(ticket);
  });
  app.post('/release/:ticket', (request, response) => {
    taken.get(Number(request.params.ticket))?.();
    log.push({ what: 'worker_released', ticket: Number(request.params.ticket) });
    response.sendStatus(204);
  });
  await network.serve('queue', app);
  return {
    port: network.places.get('queue')!.port,
    log,
    orders: {
      reached: (depth) => queue.reached(depth),
      load: async () => {
        const { depth, longestWaitUs, windowUs } = queue.read();
        const load = { queue_depth: depth, latency_us: longestWaitUs, window_us: windowUs };
        log.push({ what: 'load_measured', ...load });
        return load;
      },
    },
    close: () => network.close(),
  };
};
