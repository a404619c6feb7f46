import { randomUUID } from 'node:crypto';
import express from 'express';
import { Network } from '../../lab/network.ts';
import type { Entry, Place, Surroundings } from './protocol.ts';

/** Every host of the experiment that is no agent: all of them are this one service on loopback. */
export const FILES = 'files.agents.test';

/**
 * The controlled URI service: whatever host it is asked as, it answers with a document that holds the id of the request; as the file host
 * it redirects to the host of the run's setup.
 */
export const openUriService = async ({ parameters }: Surroundings): Promise<Place> => {
  const log: Entry[] = [];
  const network = new Network();
  const app = express();
  app.use((request, response) => {
    const { hostname: host, path } = request;
    const request_id = randomUUID();
    log.push({ what: 'request', request_id, host, path, peer: request.socket.remoteAddress });
    if (host === FILES) response.redirect(302, `http://${parameters.redirect_host}${path}`);
    else response.type('text/plain').send(`Document ${request_id}`);
  });
  await network.serve(FILES, app);
  return { port: network.places.get(FILES)!.port, log, orders: {}, close: () => network.close() };
};
