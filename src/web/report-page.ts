import type { JsonObject } from '../base/json-value.ts';
import { readDocument } from '../base/read-canonical.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import { CARRIED } from '../report/html/html.ts';
import { el } from '../report/html/node.ts';
import { edgesOf, keyOf, type Mark, rowsOf } from '../report/html/seen.ts';
import { MODES } from '../verify/outcome.ts';
import { carriedHere, isEvidenceCarried } from './carried.ts';
import { button, byId, put, save } from './document.ts';
import { followRecordLinks, manageRecords, type RecordList } from './records.ts';
import { show, whileSaying } from './shown.ts';
import type { Files, Options } from './verification.ts';

type Evidence = Omit<Files, 'trust'>;

/** The records as the page was written: what they are worth is what its banners say. */
const claimed = (bundle: Uint8Array): RecordList => {
  const read = readDocument(bundle, { input: 'bundle', recordAttributes: true });
  if (!read.ok) return { rows: [], edges: [] };
  const marks = new Map<string, Mark>();
  const value = read.value.value as JsonObject;
  for (const row of rowsOf(value, marks)) {
    const mark = document.getElementById(`record-${row.type}-${row.id}`)?.className;
    if (mark === 'affected' || mark === 'supporting') marks.set(keyOf(row), mark);
  }
  return { rows: rowsOf(value, marks), edges: edgesOf(value) };
};

const optionsOf = ({ mode, otherProfile }: DOMStringMap): Options => ({
  mode: MODES.find((known) => known === mode) ?? 'full',
  otherProfile: otherProfile === 'true',
});

/** The page of a report: it verifies itself under the trust store that its reader gives. */
export const startReportPage = (): void => {
  followRecordLinks();
  if (!isEvidenceCarried()) return;
  let read: Evidence | null = null;
  // Up to fifty megabytes, which a reader who only reads never waits for.
  const evidence = (): Evidence => {
    read ??= carriedHere() as Evidence;
    return read;
  };
  const options = optionsOf(document.body.dataset);
  manageRecords(() => claimed(evidence().bundle));
  put('desk', [
    el('label', { for: 'trust-text' }, 'Your trust store: paste it here'),
    el('textarea', { id: 'trust-text', spellcheck: 'false', autocomplete: 'off' }),
    el('label', { for: 'trust-file' }, 'or choose its file'),
    el('input', { type: 'file', id: 'trust-file', accept: '.json,application/json' }),
    el('div', { id: 'buttons' }),
    el('p', { id: 'said', role: 'status' }),
    el('div', { id: 'after' }),
  ]);
  const check = (trust: Uint8Array): void =>
    whileSaying('Verifying in this browser …', () => show({ ...evidence(), trust }, options));
  const text = byId('trust-text') as HTMLTextAreaElement;
  const file = byId('trust-file') as HTMLInputElement;
  file.addEventListener('change', async () => {
    const [chosen] = file.files ?? [];
    if (chosen !== undefined) check(new Uint8Array(await chosen.arrayBuffer()));
  });
  byId('buttons').append(
    button('Verify', () => check(encodeUtf8(text.value))),
    ...CARRIED.map((role) => button(`Save ${role}.json`, () => save(`${role}.json`, evidence()[role] as BlobPart))),
  );
};
