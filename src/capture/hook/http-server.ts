import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { rawPairs, serverUrlOf, watchRequest, watchResponse } from '../http-wire.ts';
import type { Reporter } from './reporter.ts';
import { here, scope } from './scope.ts';
import { endOf } from './sockets.ts';

/** Taps every node:http and node:https server of the process. What a handler does runs in the scope of the call it serves. */
export const tapHttpServer = (reporter: Reporter): void =>
  subscribe('http.server.request.start', (message) =>
    reporter.attempt('follow a served request', () => {
      const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse };
      const { socket, method = '', rawHeaders } = request;
      const call = reporter.call({
        side: 'server',
        method,
        url: serverUrlOf(request),
        headers: [...rawPairs(rawHeaders)],
        local: endOf(socket.localAddress, socket.localPort),
        remote: endOf(socket.remoteAddress, socket.remotePort),
      });
      const listener = {
        attempt: (what: string, work: () => void) => reporter.attempt(what, work),
        requestChunk: (bytes: Uint8Array) => call.requestChunk(bytes),
        requestEnd: () => call.requestEnd(),
        response: (status: number, headers: Iterable<readonly [string, string]>) => call.response(status, [...headers]),
        chunk: (bytes: Uint8Array) => call.chunk(bytes),
        end: (ended: Parameters<typeof call.end>[0], undelivered?: 'undelivered') =>
          undelivered === undefined ? call.end(ended) : call.undelivered(ended),
      };
      watchRequest(request, listener);
      watchResponse(response, listener);
      // The handlers are called right after this, in the same turn.
      scope.enterWith({ ...here(), serving: call.id });
    }),
  );
