import type { JsonObject } from '../base/json-value.ts';
import { isObject } from '../base/json-value.ts';
import { readUrl } from '../base/url.ts';
import { rowsOf, words } from './summary.ts';

/** An indicator as analysts exchange them: defanged, so that no program follows it by itself. */
export type Indicator = {
  readonly kind: 'url' | 'host' | 'connected address' | 'resolved address' | 'sha256';
  readonly value: string;
  /** Every record that names it. */
  readonly records: readonly string[];
};

const defangHost = (host: string): string => host.replaceAll('.', '[.]').replaceAll(':', '[:]');

/** `hxxp://…` with bracketed dots in the host; text that is no URL has every dot and colon bracketed. */
export const defang = (url: string): string => {
  const read = readUrl(url);
  if (read === null || read.host === '') return defangHost(url);
  const { protocol, host, pathname, search, hash } = read;
  // Userinfo is dropped: in `http://a.example:x@a.example/` it looks like the host.
  return `${protocol.replace(/^http/, 'hxxp')}//${defangHost(host)}${pathname}${search}${hash}`;
};

/** Hosts, addresses, URLs and digests that a bundle names, each once, with the records that name it. */
export const indicatorsOf = (bundle: JsonObject): readonly Indicator[] => {
  const found = new Map<string, { kind: Indicator['kind']; value: string; records: Set<string> }>();
  const add = (kind: Indicator['kind'], value: unknown, record: string): void => {
    if (typeof value !== 'string' || value === '') return;
    const shown = kind === 'sha256' ? value : kind === 'url' ? defang(value) : defangHost(value);
    const key = `${kind} ${shown}`;
    const known = found.get(key) ?? { kind, value: shown, records: new Set() };
    found.set(key, known);
    known.records.add(record);
    if (kind === 'url') add('host', readUrl(value)?.hostname, record);
  };
  for (const row of rowsOf(bundle, 'uri_references')) add('url', row.uri, `reference ${words(row.reference_id)}`);
  for (const row of rowsOf(bundle, 'uri_dereferences')) {
    const record = `dereference ${words(row.dereference_id)}`;
    add('url', row.uri, record);
    add('connected address', row.connected_address, record);
    for (const address of Array.isArray(row.resolved_addresses) ? row.resolved_addresses : [])
      add('resolved address', address, record);
  }
  for (const name of ['candidate_cards', 'selected_cards'] as const) {
    for (const card of rowsOf(bundle, name)) {
      add('url', card.url, `card ${words(card.card_id)}`);
      for (const item of Array.isArray(card.interfaces) ? card.interfaces.filter(isObject) : [])
        add('url', item.url, `card ${words(card.card_id)}`);
      if (isObject(card.raw)) add('sha256', card.raw.sha256, `card ${words(card.card_id)}`);
    }
  }
  for (const exchange of rowsOf(bundle, 'exchanges'))
    add('url', exchange.url, `exchange ${words(exchange.exchange_id)}`);
  for (const artifact of rowsOf(bundle, 'artifacts')) {
    if (isObject(artifact.content))
      add('sha256', artifact.content.sha256, `artifact ${words(artifact.artifact_record_id)}`);
    add('url', artifact.part_url, `artifact ${words(artifact.artifact_record_id)}`);
  }
  return [...found.values()].map(({ records, ...indicator }) => ({ ...indicator, records: [...records] }));
};
