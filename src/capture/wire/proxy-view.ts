import { referenceKey, type SeenReference } from '../trail.ts';
import { Recent } from './recent.ts';

const originOf = (url: string): string => {
  try {
    return new URL(url).origin;
  } catch {
    return url;
  }
};

/**
 * What a recorder has to know that stands between client and server: whose messages named a URI, and what leads past it. Between them it cannot
 * tell who sends a request, so what an agent's own messages named at its own origin is no dereference: its clients fetch such, as files of its answers.
 */
export class ProxyView {
  readonly #passes: (url: string) => boolean;
  /** By exchange: the origin that served it. */
  readonly #origins = new Recent<string>();
  /** By URI: the newest reference by each origin whose exchanges named it. */
  readonly #named = new Recent<Map<string, string>>();
  /** References of an exchange that is only being begun. */
  #unplaced: SeenReference[] = [];
  readonly #past = new Recent<true>();
  readonly #fetched = new Set<string>();

  /** `passes`: whether a request to a URL goes through the recorder. */
  constructor(passes: (url: string) => boolean) {
    this.#passes = passes;
  }

  exchange(exchange_id: string | null, url: string): void {
    const unplaced = this.#unplaced.filter((seen) => seen.exchange_id === exchange_id);
    this.#unplaced = [];
    if (exchange_id === null) return;
    const origin = originOf(url);
    this.#origins.set(exchange_id, origin);
    for (const { uri, id } of unplaced) this.#name(uri, id, origin);
  }

  reference(seen: SeenReference): void {
    const { uri, id, exchange_id } = seen;
    if (!this.#passes(uri)) this.#past.set(referenceKey(uri), true);
    const origin = exchange_id === null ? undefined : this.#origins.get(exchange_id);
    if (origin === undefined) this.#unplaced.push(seen);
    else this.#name(uri, id, origin);
  }

  /** The newest reference that leads to a request, of those that other servers than its own brought; `names`: all URLs by which it is known. */
  referenceTo(url: string, names: readonly string[]): string | undefined {
    const own = originOf(url);
    return names
      .flatMap((name) => [...(this.#named.get(referenceKey(name)) ?? [])].reverse())
      .find(([origin]) => origin !== own)?.[1];
  }

  /** Whether the server of an exchange is the one that a request goes to. */
  isOwn(exchange_id: string, url: string): boolean {
    return this.#origins.get(exchange_id) === originOf(url);
  }

  fetched(url: string): void {
    this.#fetched.add(originOf(url));
  }

  leadsPast(url: string): boolean {
    return !this.#passes(url);
  }

  /** What the end alone can tell, in words. */
  notes(): readonly string[] {
    const seen =
      this.#fetched.size === 0
        ? 'proxy: no dereference passed a proxy: what agents behind them fetched was not seen'
        : `proxy: dereferences were seen of ${[...this.#fetched].join(', ')} alone: what agents fetched from elsewhere passed no proxy`;
    const past = this.#past.size;
    if (past === 0) return [seen];
    return [
      seen,
      `proxy: ${past} URIs that messages named lead past every proxy: whether anybody fetched them was not seen`,
    ];
  }

  #name(uri: string, id: string, origin: string): void {
    const key = referenceKey(uri);
    const byOrigin = this.#named.get(key) ?? new Map<string, string>();
    byOrigin.delete(origin);
    this.#named.set(key, byOrigin.set(origin, id));
  }
}
