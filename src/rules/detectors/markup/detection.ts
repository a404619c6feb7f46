/** What a detection says, and the bounded collector the detectors write into. */

export type Indicator = {
  /** `script`, `event-handler`, `javascript-url`, … (the names of `vocabulary.ts`). */
  readonly kind: string;
  /** `line:column element@attribute`, as far as known; at most 120 characters. */
  readonly where: string;
  /** The value as decoded, at most 200 characters. */
  readonly value: string;
};
export type RemoteLoad = { readonly host: string; readonly url: string; readonly where: string };
export type Detection = {
  readonly verdict: 'active' | 'inert' | 'inconclusive';
  /** The essence judged by, or the text given where it is no media type. */
  readonly mediaType: string;
  /** Why active, in document order. */
  readonly indicators: readonly Indicator[];
  /** Fetches from another host that need no click. */
  readonly remoteLoads: readonly RemoteLoad[];
  /** Observations: what runs only with scripting off or after one serialise-and-parse turn, `on…` names that are no handler. */
  readonly notes: readonly Indicator[];
  /** What could not be judged; null unless inconclusive. */
  readonly reason: string | null;
};

/** A hostile page can hold a million handlers; a report needs some of them. */
const MAX_LISTED = 100;
const MAX_VALUE = 200;
const MAX_WHERE = 120;
const MAX_URL = 2000;

/** Receives what a detector finds; every list is free of repetitions and holds at most 100 entries. */
export class Collector {
  readonly indicators: Indicator[] = [];
  readonly remoteLoads: RemoteLoad[] = [];
  readonly notes: Indicator[] = [];
  readonly reasons: string[] = [];
  /** Charset labels that the markup itself declares. */
  readonly declaredCharsets: string[] = [];
  readonly #seen = new Set<string>();

  indicate(kind: string, where: string, value: string): void {
    this.#add(this.indicators, { kind, where: where.slice(0, MAX_WHERE), value: value.slice(0, MAX_VALUE) }, 'i');
  }

  note(kind: string, where: string, value: string): void {
    this.#add(this.notes, { kind, where: where.slice(0, MAX_WHERE), value: value.slice(0, MAX_VALUE) }, 'n');
  }

  load(host: string, url: string, where: string): void {
    this.#add(this.remoteLoads, { host, url: url.slice(0, MAX_URL), where: where.slice(0, MAX_WHERE) }, 'r');
  }

  inconclusive(reason: string): void {
    if (this.reasons.length < MAX_LISTED && !this.reasons.includes(reason)) this.reasons.push(reason);
  }

  declareCharset(label: string): void {
    if (this.declaredCharsets.length < MAX_LISTED) this.declaredCharsets.push(label.slice(0, MAX_WHERE));
  }

  /** Takes over what another collector found; its loads only where the URL is not known yet. */
  absorb(other: Collector): void {
    for (const { kind, where, value } of other.indicators) this.indicate(kind, where, value);
    for (const { kind, where, value } of other.notes) this.note(kind, where, value);
    for (const { host, url, where } of other.remoteLoads) {
      if (!this.remoteLoads.some((load) => load.url === url)) this.load(host, url, where);
    }
    for (const reason of other.reasons) this.inconclusive(reason);
    for (const label of other.declaredCharsets) this.declareCharset(label);
  }

  #add<T extends object>(list: T[], entry: T, prefix: string): void {
    if (list.length >= MAX_LISTED) return;
    const key = prefix + JSON.stringify(Object.values(entry));
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    list.push(entry);
  }
}
