import { keyOf, referenceKey } from '../trail.ts';
import type { CallStart } from './call.ts';
import type { Endpoint } from './card-desk.ts';
import { Recent } from './recent.ts';
import type { Binding } from './recognise.ts';

/** What a client was sent on from. */
export type Redirected =
  | { readonly kind: 'card' }
  | { readonly kind: 'exchange'; readonly binding: Binding; readonly endpoint: Endpoint | null }
  | { readonly kind: 'hop'; readonly redirect_of: string | null; readonly hop: number; readonly agent: string | null };

/** The URLs by which a text may name a request. */
export const namesOf = ({ url, behind }: CallStart): readonly string[] => [url, ...(behind?.names ?? [])];

/** Where responses sent their clients on to (RFC 9110 section 15.4): the next request of the same process to that URL goes on from there. */
export class Redirects {
  readonly #next = new Recent<Redirected>();

  /** Takes a response; returns the URL that it sends its client on to, null when it sends it nowhere that a client can go. */
  answered(start: CallStart, status: number, headers: CallStart['headers'], from: Redirected): string | null {
    const location = headers.find(([name]) => name === 'location')?.[1];
    const base = start.behind?.names[0] ?? start.url;
    if (status < 300 || status >= 400 || location === undefined || !URL.canParse(location, base)) return null;
    const next = new URL(location, base).href;
    this.#next.set(keyOf(start.process, referenceKey(next)), from);
    return next;
  }

  /** What a client was sent on from to this request. A redirect of a dereference is followed once: who comes there later was not sent. */
  to(start: CallStart): Redirected | undefined {
    for (const name of namesOf(start)) {
      const key = keyOf(start.process, referenceKey(name));
      const found = this.#next.get(key);
      if (found?.kind === 'hop') this.#next.delete(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
