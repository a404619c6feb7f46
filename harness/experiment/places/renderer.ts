import express from 'express';
import { Network } from '../../lab/network.ts';
import { interpret } from '../../lab/renderer.ts';
import { SANITIZER, sanitize } from '../../lab/sanitizer.ts';
import type { Entry, Place } from './protocol.ts';

/** What the renderer answers: the sanitizer it has, what that gave back (null: bypassed), and the page it went on with. */
export type Rendered = { readonly sanitizer: typeof SANITIZER; readonly output: string | null; readonly page: string };

/** A renderer with its sanitizer before it: `POST /cleaned` sanitizes and interprets what it is sent, `POST /as-received` interprets it as it is. */
export const openRenderer = async (): Promise<Place> => {
  const log: Entry[] = [];
  const network = new Network();
  const app = express();
  app.post(['/cleaned', '/as-received'], express.text({ type: 'text/html', limit: '1mb' }), (request, response) => {
    const received = String(request.body);
    const output = request.path === '/cleaned' ? sanitize(received) : null;
    const page = output ?? received;
    log.push({ what: 'page_interpreted', ...interpret(page), peer: request.socket.remoteAddress });
    response.json({ sanitizer: SANITIZER, output, page } satisfies Rendered);
  });
  await network.serve('renderer', app);
  return { port: network.places.get('renderer')!.port, log, orders: {}, close: () => network.close() };
};
