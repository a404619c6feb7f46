import { randomBytes } from 'node:crypto';
import { constants, openSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { frameLimit, framesOf, piecesOf, WRITER_BYTES } from './frame.ts';
import { identityOf } from './identity.ts';
import type { Told } from './messages.ts';

/** How long a program is held up by a recorder that does not read. */
const PATIENCE_MS = 30_000;
const NOTHING = new Uint8Array();

/**
 * The end of the channel inside a watched process, one for each thread. `send` returns when the kernel has the message, so what it told is
 * with the recorder although this process is killed next. It never throws: what could not be sent is counted, and told by a file beside the channel.
 */
export class ChannelWriter {
  readonly #path: string;
  readonly #patienceMs: number;
  readonly #writer = randomBytes(WRITER_BYTES);
  readonly #limit = frameLimit(process.platform);
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));
  #file: { readonly fd: number; readonly identity: string } | null = null;
  #number = 0;
  #lost = 0;
  #givenUp = false;

  constructor(path: string, patienceMs = PATIENCE_MS) {
    this.#path = path;
    this.#patienceMs = patienceMs;
  }

  /** Messages that did not reach the recorder. */
  get lost(): number {
    return this.#lost;
  }

  send(told: Told, body: Uint8Array = NOTHING): void {
    if (this.#givenUp) return;
    try {
      const head = JSON.stringify(told);
      this.#open();
      if (body.length === 0) this.#put(head, body);
      for (const piece of piecesOf(body)) this.#put(head, piece);
    } catch (error) {
      this.#missed(error);
    }
  }

  #put(head: string, body: Uint8Array): void {
    for (const frame of framesOf(this.#writer, this.#number, head, body, this.#limit)) {
      this.#write(frame);
      this.#number++;
    }
  }

  /** A program may close what it did not open, and have the number again for a file of its own: that must not be written into. */
  #open(): void {
    if (this.#file !== null && identityOf(this.#file.fd) === this.#file.identity) return;
    this.#file = null;
    const fd = openSync(this.#path, constants.O_WRONLY | constants.O_NONBLOCK);
    this.#file = { fd, identity: identityOf(fd) };
  }

  #write(frame: Uint8Array): void {
    for (const until = Date.now() + this.#patienceMs; ; ) {
      try {
        writeSync(this.#file!.fd, frame);
        return;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== 'EAGAIN' || Date.now() > until) throw error;
        // The pipe is full: the recorder is behind. Atomics.wait is the only sleep that is not a busy loop.
        Atomics.wait(this.#sleeper, 0, 0, 1);
      }
    }
  }

  #missed(error: unknown): void {
    this.#lost++;
    // The number goes on, so that the recorder sees what is missing when the channel works again.
    this.#number++;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EBADF') this.#file = null;
    // Nobody reads any more, or does not for long: the program must not be held up again and again.
    if (code === 'EPIPE' || code === 'ENXIO' || code === 'ENOENT' || code === 'EAGAIN') this.#givenUp = true;
    if (this.#lost > 1) return;
    try {
      writeFileSync(join(dirname(this.#path), `lost-${process.pid}-${this.#writer.toString('hex')}`), '', {
        flag: 'a',
      });
    } catch {
      // Two ways to tell have failed: the missing end of this process is the third.
    }
  }
}
