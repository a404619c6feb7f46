import { referenceKey, type SeenReference } from '../trail.ts';
import type { CallStart } from './call.ts';
import { Recent } from './recent.ts';

const isHttp = (uri: string): boolean => /^https?:/i.test(uri);
const targetOf = ({ behind, url }: CallStart): string => behind?.target ?? url;

/**
 * What a recorder has to know that stands between client and server: whose messages named a URI, and what leads past it. Between them it cannot
 * tell who sends a request, so what an agent's own messages named to be there is no dereference: its clients fetch such, as files of its answers.
 */
export class ProxyView {
  readonly #passes: (url: string) => boolean;
  /** By exchange: the target that served it. */
  readonly #targets = new Recent<string>();
  /** By URI: the newest reference by each target whose exchanges named it. */
  readonly #named = new Recent<Map<string, string>>();
  /** References of an exchange that is only being begun. */
  #unplaced: SeenReference[] = [];
  readonly #past = new Recent<true>();
  readonly #fetched = new Set<string>();

  /** `passes`: whether a request to a URL goes through the recorder. */
  constructor(passes: (url: string) => boolean) {
    this.#passes = passes;
  }

  exchange(exchange_id: string | null, start: CallStart): void {
    const unplaced = this.#unplaced.filter((seen) => seen.exchange_id === exchange_id);
    this.#unplaced = [];
    if (exchange_id === null) return;
    const target = targetOf(start);
    this.#targets.set(exchange_id, target);
    for (const { uri, id } of unplaced) this.#name(uri, id, target);
  }

  reference(seen: SeenReference): void {
    const { uri, id, exchange_id } = seen;
    if (isHttp(uri) && !this.#passes(uri)) this.#past.set(referenceKey(uri), true);
    const target = exchange_id === null ? undefined : this.#targets.get(exchange_id);
    if (target === undefined) this.#unplaced.push(seen);
    else this.#name(uri, id, target);
  }

  /** The newest reference that leads to a request, of those that other servers than its own brought; `names`: all URLs by which it is known, as evidence has them. */
  referenceTo(start: CallStart, names: readonly string[]): string | undefined {
    const own = targetOf(start);
    return names
      .flatMap((name) => [...(this.#named.get(referenceKey(name)) ?? [])].reverse())
      .find(([target]) => target !== own)?.[1];
  }

  /** Whether the server of an exchange is the one that a request goes to. */
  isOwn(exchange_id: string, start: CallStart): boolean {
    return this.#targets.get(exchange_id) === targetOf(start);
  }

  fetched(start: CallStart): void {
    this.#fetched.add(targetOf(start));
  }

  /** Whether a client that is sent on from a request then passes no proxy; what is below the URL that it asked for leads where that did. */
  leadsPast(next: string, { behind, url }: CallStart): boolean {
    return isHttp(next) && !this.#passes(next) && new URL(next).origin !== new URL(behind?.names[0] ?? url).origin;
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

  #name(uri: string, id: string, target: string): void {
    const key = referenceKey(uri);
    const byTarget = this.#named.get(key) ?? new Map<string, string>();
    byTarget.delete(target);
    this.#named.set(key, byTarget.set(target, id));
  }
}
