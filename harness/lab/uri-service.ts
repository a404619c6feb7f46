import type { Network } from './network.ts';

/** What the URI service answers at a path: a redirect to another URI, or a document. */
export type Answer = { readonly redirectTo: string } | { readonly document: string };

/** Starts a service that answers by path, with 404 where it has no answer. `addresses`: what its name stands for. */
export const startUriService = (
  network: Network,
  host: string,
  addresses: readonly string[],
  answer: (path: string) => Answer | null,
): Promise<void> =>
  network.serve(
    host,
    (request, response) => {
      const found = answer(request.url ?? '');
      if (found === null) response.statusCode = 404;
      else if ('redirectTo' in found) {
        response.statusCode = 302;
        response.setHeader('location', found.redirectTo);
      } else response.setHeader('content-type', 'text/plain; charset=utf-8');
      response.end(found !== null && 'document' in found ? found.document : '');
    },
    addresses,
  );
