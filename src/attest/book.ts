import type { Crypto } from '../base/crypto.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import { jcs } from '../pcm/jcs.ts';
import { PCM_LIMITS } from '../pcm/limits.ts';
import { readStrict } from '../pcm/strict-json.ts';
import { pcmTime } from '../pcm/time.ts';
import type { PcmObject } from '../pcm/value.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { newId } from './ids.ts';
import type { Log } from './log/types.ts';
import { applyEvent, type Known } from './replay-events.ts';
import type { Approval, LogEvent, Run, Source } from './state.ts';

const GENESIS = `sha256:${'0'.repeat(64)}`;

/** What is written down: its type, who it is from, and its data, which never hold args. */
export type Entry = { readonly type: string; readonly source: Source; readonly data: PcmObject };

/** A record of a run: the event, and the hash of its canonical text. */
export type Written = { readonly event: LogEvent; readonly runSeq: number; readonly hash: string };

/**
 * The runs of a signer and its log. Every event is numbered and made known in the turn in which it is recorded, so that of calls that come together
 * only one can be first; it is told to nobody before the log has published it.
 */
export class Book implements Known {
  readonly runs = new Map<string, Run>();
  readonly open = new Map<string, Set<Run>>();
  readonly approvals = new Map<string, Approval>();
  readonly waiting = new Set<Approval>();
  private readonly log: Log;
  private readonly origin: string;
  private readonly crypto: Crypto;
  private readonly clock: () => number;
  private lastHash = GENESIS;
  private lastMs = 0;

  /** Takes an open log, and a clock in milliseconds since 1970; reads again what the log holds. */
  constructor(log: Log, origin: string, crypto: Crypto, clock: () => number) {
    this.log = log;
    this.origin = origin;
    this.crypto = crypto;
    this.clock = clock;
    for (let seq = 0; seq < log.size; seq++) {
      const event = this.eventAt(seq);
      this.lastMs = Math.max(this.lastMs, Date.parse(event.ts));
      this.know(event, log.record(seq));
    }
  }

  /** The signer's time in milliseconds since 1970: it never goes back, whatever its clock does, since evidence is told by its age. */
  nowMs(): number {
    this.lastMs = Math.max(this.lastMs, this.clock());
    return this.lastMs;
  }

  now(): string {
    return pcmTime(this.nowMs());
  }

  /** The signer's time so many milliseconds from now. */
  later(ms: number): string {
    return pcmTime(this.nowMs() + ms);
  }

  /** Writes one entry of a run that is known, or that a `run.start` begins; resolves once it is published. Rejects with EnvironmentFault. */
  record(run: Pick<Run, 'id' | 'tenant'>, { type, source, data }: Entry): Promise<Written> {
    const known = this.runs.get(run.id);
    const runSeq = known?.seqs.length ?? 0;
    const event = {
      schema_version: 'tracekit.event.v2',
      id: newId(),
      log_id: this.origin,
      seq: this.log.next,
      prev_hash: this.lastHash,
      ts: this.now(),
      tenant: run.tenant,
      run_id: run.id,
      run_seq: runSeq,
      run_prev_hash: known?.lastHash ?? GENESIS,
      agent_id: 'main',
      parent_id: null,
      source,
      ...(source === 'gateway' ? { tier: 'T2' } : {}),
      type,
      data,
    };
    const bytes = encodeUtf8(jcs(event));
    // What the log refuses must not become known: the events after it would be numbered past it.
    if (bytes.length > PCM_LIMITS.messageBytes) {
      return Promise.reject(new EnvironmentFault(`a record of ${bytes.length} bytes is more than the log takes`));
    }
    const published = this.log.append(bytes);
    const hash = this.know(event, bytes);
    return published.then(({ index }) => {
      if (index !== event.seq) throw new Error(`the log put event ${event.seq} at ${index}`);
      return { event, runSeq, hash };
    });
  }

  /** The record of a run at `run_seq`, or null when the run has none there, or the log has not published it yet. */
  read(run: Run, runSeq: number): Written | null {
    const seq = run.seqs[runSeq];
    if (seq === undefined || seq >= this.log.size) return null;
    return { event: this.eventAt(seq), runSeq, hash: this.hashOf(this.log.record(seq)) };
  }

  private eventAt(seq: number): LogEvent & PcmObject {
    const read = readStrict(this.log.record(seq), { what: `record ${seq}`, maxBytes: PCM_LIMITS.messageBytes });
    if (read.ok) return read.value as LogEvent & PcmObject;
    throw new EnvironmentFault(`record ${seq} of the log cannot be read: ${read.findings[0].detail}`);
  }

  private hashOf(record: Uint8Array): string {
    return `sha256:${this.crypto.sha256Hex(record)}`;
  }

  private know(event: LogEvent, record: Uint8Array): string {
    const hash = this.hashOf(record);
    applyEvent(this, event, hash);
    this.lastHash = hash;
    return hash;
  }
}
