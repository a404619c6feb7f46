import type { Damage, Message } from '../channel/frame.ts';
import { readTold, type Told, type CallStart as ToldCall } from '../channel/messages.ts';
import type { CaptureContext } from '../context.ts';
import type { WireRecorder } from '../wire/wire-recorder.ts';

export type WatchedRecording = { readonly context: CaptureContext; readonly wire: WireRecorder };

/** One thread of a watched process. */
type Writer = { readonly process: string; readonly pid: number; readonly thread: number; said: 'hello' | 'bye' };

/** Which recordings a message of a test belongs to; of no test, or of none that is known, to those that are told so. */
export type RecordingsOf = (test: string | null) => readonly WatchedRecording[];

const nameOf = (pid: number, program: string): string => `${program} (${pid})`;

/** Hands what watched processes tell to the recording it belongs to, and knows which of them never said how they ended. */
export class HostRecorder {
  readonly #recordingsOf: RecordingsOf;
  readonly #everyone: () => readonly WatchedRecording[];
  readonly #writers = new Map<string, Writer>();
  readonly #spawned = new Map<number, string>();
  readonly #exits = new Map<number, { readonly code: number | null; readonly signal: string | null }>();
  readonly #recordingOfCall = new Map<string, readonly WatchedRecording[]>();

  /** `everyone`: the recordings that what concerns a whole process is told to. */
  constructor(recordingsOf: RecordingsOf, everyone: () => readonly WatchedRecording[]) {
    this.#recordingsOf = recordingsOf;
    this.#everyone = everyone;
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
  ended(missed: number): void {
    if (missed > 0) this.#gap(`${missed} processes could not reach the recorder, and what they did then was not seen`);
    const byPid = new Map<number, Writer[]>();
    for (const writer of this.#writers.values()) byPid.set(writer.pid, [...(byPid.get(writer.pid) ?? []), writer]);
    for (const [pid, writers] of byPid) {
      const main = writers.find(({ thread }) => thread === 0) ?? writers[0]!;
      if (main.said === 'hello' && !this.#endedBySignal(pid)) this.#gap(`${main.process} did not tell its end`);
    }
    for (const { wire } of this.#everyone()) for (const { process } of this.#writers.values()) wire.gone(process);
    for (const [pid, program] of this.#spawned) {
      if (byPid.has(pid) || !/^node/.test(program)) continue;
      for (const { context } of this.#everyone())
        context.session.note(`a process that was started as ${program} was not watched`);
    }
  }

  /** The process that was watched first ended, by what its parent saw. */
  exited(pid: number, code: number | null, signal: string | null): void {
    this.#exits.set(pid, { code, signal });
  }

  #endedBySignal(pid: number): boolean {
    return (this.#exits.get(pid)?.signal ?? null) !== null;
  }

  #gap(what: string): void {
    for (const { context } of this.#everyone()) context.session.gap(what);
  }

  #take(writer: string, told: Told, body: Buffer): void {
    if (told.t === 'hello') {
      const process = nameOf(told.pid, told.program);
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
        for (const { wire } of this.#everyone()) if (by.thread === 0) wire.gone(by.process);
        return;
      case 'spawned':
        this.#spawned.set(told.pid, told.program);
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
        for (const { wire } of this.#recordings(writer, told.cause, told.test)) {
          wire.event(by.process, this.#key(writer, told.cause), body.toString('utf8'));
        }
        return;
      case 'test-begin':
      case 'test-end':
        return;
      default:
        this.#step(this.#key(writer, told.call)!, told, body);
    }
  }

  #key(writer: string, call: number | null): string | null {
    return call === null ? null : `${writer}:${call}`;
  }

  /** What a served call causes belongs to its test. */
  #recordings(writer: string, cause: number | null, test: string | null): readonly WatchedRecording[] {
    const ofCause = test === null ? this.#recordingOfCall.get(this.#key(writer, cause) ?? '') : undefined;
    return ofCause ?? this.#recordingsOf(test);
  }

  #call(writer: string, { process }: Writer, { call, cause, test, ...seen }: ToldCall): void {
    const key = this.#key(writer, call)!;
    const recordings = this.#recordings(writer, cause, test);
    this.#recordingOfCall.set(key, recordings);
    const { side, method, url, headers, local, remote } = seen;
    const start = { key, side, process, method, url, headers, cause: this.#key(writer, cause), local, remote };
    for (const { wire } of recordings) wire.call(start);
  }

  #step(key: string, told: Extract<Told, { readonly call: number }>, body: Buffer): void {
    const recordings = this.#recordingOfCall.get(key) ?? [];
    for (const { wire } of recordings) {
      if (told.t === 'socket') wire.socket(key, told);
      else if (told.t === 'request') wire.request(key, body, told.last);
      else if (told.t === 'response') wire.response(key, told.status, told.headers);
      else if (told.t === 'chunk') wire.chunk(key, body);
      else if (told.t === 'end') wire.end(key, told.ended, told.error);
    }
    if (told.t === 'end') this.#recordingOfCall.delete(key);
  }
}
