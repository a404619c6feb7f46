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

/** So many clients may be under way from redirects to one URL. */
const MAX_UNDER_WAY = 256;

/**
 * Where responses sent their clients on to (RFC 9110 section 15.4): a request to that URL goes on from there, of the same process and on behalf of the same
 * served call. Each redirect is followed once: else a peer could give all later fetches of a URL another name than that of a dereference.
 */
export class Redirects {
  readonly #next = new Recent<Redirected[]>();

  /** Takes a response; returns the URL that it sends its client on to, null when it sends it nowhere that a client can go. */
  answered(start: CallStart, status: number, headers: CallStart['headers'], from: Redirected): string | null {
    const location = headers.find(([name]) => name === 'location')?.[1];
    const base = start.behind?.names[0] ?? start.url;
    if (status < 300 || status >= 400 || location === undefined || !URL.canParse(location, base)) return null;
    const next = new URL(location, base).href;
    const key = placeOf(start, next);
    this.#next.set(key, [...(this.#next.get(key) ?? []), from].slice(-MAX_UNDER_WAY));
    return next;
  }

  /** What a client was sent on from to this request. */
  to(start: CallStart): Redirected | undefined {
    for (const name of namesOf(start)) {
      const key = placeOf(start, name);
      const [found, ...others] = this.#next.get(key) ?? [];
      if (found === undefined) continue;
      if (others.length === 0) this.#next.delete(key);
      else this.#next.set(key, others);
      return found;
    }
    return undefined;
  }
}

const placeOf = ({ process, cause }: CallStart, url: string): string => keyOf(process, cause, referenceKey(url));
