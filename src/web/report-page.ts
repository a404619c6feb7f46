import type { JsonObject } from '../base/json-value.ts';
import { readDocument } from '../base/read-canonical.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import { CARRIED, type CarriedRole } from '../report/html/carried.ts';
import { el } from '../report/html/node.ts';
import { edgesOf, keyOf, type Mark, rowsOf } from '../report/html/seen.ts';
import { MODES } from '../verify/outcome.ts';
import { besideFiles, besideTold } from './beside.ts';
import { besideHere, type Carried, carriedHere, isEvidenceCarried, misshapenHere } from './carried.ts';
import { button, byId, put, save } from './document.ts';
import { followRecordLinks, manageRecords, type RecordList } from './records.ts';
import { show, showUnread, whileSaying } from './shown.ts';
import type { Options } from './verification.ts';

/** The records as the page was written: what they are worth is what its banners say. */
const claimed = (carried: Carried): RecordList => {
  const read = carried.ok
    ? readDocument(carried.evidence.bundle, { input: 'bundle', recordAttributes: true })
    : { ok: false as const };
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

const chosen = async (id: string): Promise<Uint8Array | null> => {
  const [file] = (document.getElementById(id) as HTMLInputElement | null)?.files ?? [];
  return file === undefined ? null : new Uint8Array(await file.arrayBuffer());
};

/** Verifies what the page carries under keys of its reader, and writes the page anew. Returns what is said of it. */
const checked = (carried: Carried, options: Options, trust: Uint8Array, logs: Uint8Array | null): string => {
  if (!carried.ok) return showUnread(carried.why);
  const { evidence, beside } = carried;
  const { pcm } = beside;
  const own = pcm === undefined || logs === null ? {} : { pcm: { ...pcm, trust: logs } };
  const verdict = show({ ...evidence, ...beside, ...own, trust }, options);
  return pcm === undefined || logs !== null
    ? verdict
    : `${verdict} Proof-carrying messages were judged by keys of logs that this page brought.`;
};

/** The page of a report: it verifies itself under the trust store that its reader gives. */
export const startReportPage = (): void => {
  followRecordLinks();
  if (!isEvidenceCarried()) return;
  const misshapen = misshapenHere();
  if (misshapen !== null) {
    put('desk', [el('p', { id: 'said', role: 'status' }), el('div', { id: 'after' })]);
    byId('said').textContent = showUnread(misshapen);
    return;
  }
  let read: Carried | null = null;
  // Up to fifty megabytes, which a reader who only reads never waits for.
  const carried = (): Carried => {
    read ??= carriedHere();
    return read;
  };
  const beside = besideHere();
  const options = optionsOf(document.body.dataset);
  manageRecords(() => claimed(carried()));
  put('desk', [
    el('label', { for: 'trust-text' }, 'Your trust store: paste it here'),
    el('textarea', { id: 'trust-text', spellcheck: 'false', autocomplete: 'off' }),
    el('label', { for: 'trust-file' }, 'or choose its file'),
    el('input', { type: 'file', id: 'trust-file', accept: '.json,application/json' }),
    ...besideTold(beside),
    el('div', { id: 'buttons' }),
    el('p', { id: 'said', role: 'status' }),
    el('div', { id: 'after' }),
  ]);
  const check = async (trust: Uint8Array | null): Promise<void> => {
    const logs = await chosen('logs-file');
    if (trust === null) byId('said').textContent = 'Paste a trust store first, or choose its file.';
    else whileSaying('Verifying in this browser …', () => checked(carried(), options, trust, logs));
  };
  const checkGiven = async (): Promise<void> => {
    const { value } = byId('trust-text') as HTMLTextAreaElement;
    await check(value.trim() === '' ? await chosen('trust-file') : encodeUtf8(value));
  };
  byId('trust-file').addEventListener('change', () => void chosen('trust-file').then(check));
  const saveCarried = (role: CarriedRole): void => {
    const it = carried();
    if (it.ok) save(`${role}.json`, it.evidence[role] as BlobPart);
    else byId('said').textContent = showUnread(it.why);
  };
  byId('buttons').append(
    button('Verify', () => void checkGiven()),
    ...CARRIED.map((role) => button(`Save ${role}.json`, () => saveCarried(role))),
    ...besideFiles(beside).map(([name, bytes]) => button(`Save ${name}`, () => save(name, bytes as BlobPart))),
  );
};
