import { isAlive } from '../../store/writer.ts';
import type { Damage, Message } from '../channel/frame.ts';
import { readTold, type Told, type CallStart as ToldCall } from '../channel/messages.ts';
import { Recent } from '../wire/recent.ts';
import type { CallTaker, Recordings, WatchedRecording } from './recordings.ts';

/** One thread of a watched process. */
type Writer = { readonly process: string; readonly pid: number; readonly thread: number; said: 'hello' | 'bye' };

const nameOf = (pid: number, program: string): string => `${program} (${pid})`;

/** Hands what watched processes tell to the recording it belongs to, and knows which of them never said how they ended. */
export class HostRecorder {
  readonly #recordings: Recordings;
  readonly #writers = new Map<string, Writer>();
  readonly #spawned = new Map<number, { readonly program: string; readonly by: string }>();
  readonly #exits = new Map<number, { readonly code: number | null; readonly signal: string | null }>();
  readonly #takersOfCall = new Map<string, readonly CallTaker[]>();
  /** Of calls that ended: their last byte may still turn out to be undelivered. */
  readonly #takersOfEnded = new Recent<readonly CallTaker[]>();

  constructor(recordings: Recordings) {
    this.#recordings = recordings;
  }

  message({ writer, head, body }: Message): void {
    const told = readTold(head);
    if (told === null) this.damage({ writer, what: 'an observation could not be read' });
    else this.#take(writer, told, body);
  }

  damage({ writer, what }: Damage): void {
    const by = writer === null ? undefined : this.#writers.get(writer);
    this.#gap(by === undefined ? what : `${by.process}: ${what}`);
  }

  /** The command has ended and the channel is drained: whatever lives or died without a word is told. */
  ended(): void {
    for (const [pid, writers] of this.#writersByPid()) {
      const main = writers.find(({ thread }) => thread === 0) ?? writers[0]!;
      if (main.said === 'hello') this.#endedSilently(pid, main.process);
    }
    for (const { wire } of this.#recordings.underWay())
      for (const { process } of this.#writers.values()) wire.gone(process);
  }

  /** Tells a recording that ends what of its processes was not seen; `missed`: how many could not reach the channel. */
  closing({ context: { session }, wire }: WatchedRecording, missed: number): void {
    if (missed > 0)
      session.gap(`${missed} processes could not reach the recorder, and what they did then was not seen`);
    const watched = this.#writersByPid();
    for (const [pid, { program, by }] of this.#spawned) {
      if (watched.has(pid)) continue;
      if (program.startsWith('node')) session.note(`a process that was started as ${program} was not watched`);
      wire.unwatched(by, program);
    }
  }

  /** The process that was watched first ended, by what its parent saw. */
  exited(pid: number, code: number | null, signal: string | null): void {
    this.#exits.set(pid, { code, signal });
  }

  /** A signal leaves no time for a word, and takes none back; whoever ended otherwise would have said so, had the hook been whole. */
  #endedSilently(pid: number, process: string): void {
    const exit = this.#exits.get(pid);
    if (exit?.signal) return;
    if (exit !== undefined) this.#gap(`${process} exited with ${exit.code} and did not tell its end`);
    else if (isAlive(pid)) this.#gap(`${process} still ran when the capture ended`);
    else {
      for (const { context } of this.#recordings.underWay()) {
        context.session.note(`${process} ended without a word, as one does that a signal ends`);
      }
    }
  }

  #writersByPid(): ReadonlyMap<number, readonly Writer[]> {
    const byPid = new Map<number, Writer[]>();
    for (const writer of this.#writers.values()) byPid.set(writer.pid, [...(byPid.get(writer.pid) ?? []), writer]);
    return byPid;
  }

  /** The newest process of that number; undefined when its first thread told nothing. */
  #nameOf(pid: number): string | undefined {
    return [...this.#writers.values()].findLast((writer) => writer.pid === pid && writer.thread === 0)?.process;
  }

  #gap(what: string): void {
    for (const { context } of this.#recordings.underWay()) context.session.gap(what);
  }

  #take(writer: string, told: Told, body: Buffer): void {
    if (told.t === 'hello') {
      // A thread may not know its program; its process has one name, whichever of its threads tells something.
      const process = (told.thread > 0 && this.#nameOf(told.pid)) || nameOf(told.pid, told.program);
      this.#writers.set(writer, { process, pid: told.pid, thread: told.thread, said: 'hello' });
      return;
    }
    const by = this.#writers.get(writer);
    if (by === undefined) {
      this.damage({ writer, what: 'an unknown process told something' });
      return;
    }
    switch (told.t) {
      case 'bye':
        by.said = 'bye';
        if (told.lost > 0) this.#gap(`${by.process}: ${told.lost} observations were lost`);
        for (const { wire } of this.#recordings.underWay()) if (by.thread === 0) wire.gone(by.process);
        return;
      case 'spawned':
        this.#spawned.set(told.pid, { program: told.program, by: by.process });
        return;
      case 'exited':
        this.exited(told.pid, told.code, told.signal);
        return;
      case 'gap':
        this.#gap(`${by.process}: ${told.what}`);
        return;
      case 'call':
        this.#call(writer, by, told);
        return;
      case 'event':
        this.#event(writer, by, told, body.toString('utf8'));
        return;
      case 'runs-tests':
        this.#recordings.runsTests(writer);
        return;
      case 'test-begin':
        this.#recordings.testBegins(writer, told.test, told.name);
        return;
      case 'test-end':
        this.#recordings.testEnds(told.test);
        return;
      default:
        this.#step(this.#key(writer, told.call)!, told, body);
    }
  }

  #key(writer: string, call: number | null): string | null {
    return call === null ? null : `${writer}:${call}`;
  }

  #event(writer: string, { process }: Writer, told: Extract<Told, { readonly t: 'event' }>, json: string): void {
    const cause = this.#key(writer, told.cause);
    for (const { wire } of this.#recordings.recordingsOf({ writer, cause, test: told.test }))
      wire.event(process, cause, json);
  }

  #call(writer: string, { process }: Writer, { call, cause, test, ...seen }: ToldCall): void {
    const { side, method, url, headers, local, remote } = seen;
    const key = this.#key(writer, call)!;
    const start = { key, side, process, method, url, headers, cause: this.#key(writer, cause), local, remote };
    const takers = this.#recordings.takersOf(start, { writer, cause: start.cause, test });
    this.#takersOfCall.set(key, takers);
    for (const taker of takers) taker.call(start);
  }

  #step(key: string, told: Extract<Told, { readonly call: number }>, body: Buffer): void {
    const takers = this.#takersOfCall.get(key) ?? this.#takersOfEnded.get(key) ?? [];
    for (const taker of takers) {
      if (told.t === 'socket') taker.socket(key, told);
      else if (told.t === 'request') taker.request(key, body, told.last);
      else if (told.t === 'response') taker.response(key, told.status, told.headers);
      else if (told.t === 'chunk') taker.chunk(key, body);
      else if (told.t === 'end') taker.end(key, told.ended, told.error);
    }
    if (told.t === 'end' && this.#takersOfCall.delete(key)) this.#takersOfEnded.set(key, takers);
  }
}
