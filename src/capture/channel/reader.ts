import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvironmentFault } from '../../store/fault.ts';
import { type Damage, FrameReader, frameLimit, framesOf, type Message, WRITER_BYTES } from './frame.ts';
import { identityAt, identityOf } from './identity.ts';

const DRAINED_MS = 30_000;
/** A mark is as long as a frame can be, and is put again: garbage that looks like the head of a frame swallows no more than one. */
const MARK_EVERY_MS = 20;
const MARK = new Uint8Array(frameLimit(process.platform) / 2);

export type ChannelEnd = {
  /** The FIFO, for the writers. */
  readonly path: string;
  /** Resolves when everything that was written before the call has been read; what cannot be read, and a channel that is gone, is told as damage. */
  drain(): Promise<void>;
  /** Writers that could not reach the channel, by the files they left. */
  missed(): number;
  /** Ends the channel; a message that was begun and not ended is damage. */
  close(): void;
};

/**
 * Makes the channel: a FIFO of this user alone, in a folder of its own. One FIFO gives one order to all processes, and nobody can take back what is in it.
 * Throws EnvironmentFault where the system has no FIFOs.
 */
export const openChannel = (onMessage: (message: Message) => void, onDamage: (damage: Damage) => void): ChannelEnd => {
  const folder = mkdtempSync(join(tmpdir(), 'forensictrace-'));
  const path = join(folder, 'channel');
  let file: number;
  try {
    if (process.platform === 'win32') throw new EnvironmentFault('this system has no FIFOs');
    execFileSync('mkfifo', ['-m', '600', path]);
    // Open at both ends: the stream then has no end while no process is watched.
    file = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw EnvironmentFault.of(error, `cannot make the channel ${path}; Linux and macOS have what it takes`);
  }
  const identity = identityOf(file);
  // The recorder's own writer: what it writes marks a place in the stream, and nobody else can know its name.
  const own = randomBytes(WRITER_BYTES);
  const waiting = new Map<string, () => void>();
  const reader = new FrameReader((message) => {
    if (message.writer === own.toString('hex')) waiting.get(message.head)?.();
    else onMessage(message);
  }, onDamage);
  const socket = new Socket({ fd: file, readable: true, writable: false });
  socket.on('data', (chunk: Buffer) => reader.push(chunk));
  socket.on('error', () => onDamage({ writer: null, what: 'the channel could not be read' }));
  let marks = 0;
  let frames = 0;
  return {
    path,
    drain: () =>
      new Promise((resolve) => {
        const mark = String(marks++);
        const done = (): void => {
          clearTimeout(late);
          clearInterval(again);
          waiting.delete(mark);
          if (identityAt(path) !== identity)
            onDamage({ writer: null, what: 'the channel was removed: who began after that could tell nothing' });
          resolve();
        };
        const late = setTimeout(() => {
          onDamage({ writer: null, what: 'the channel could not be read to its end' });
          done();
        }, DRAINED_MS);
        const put = (): void => {
          try {
            for (const frame of framesOf(own, frames, mark, MARK, frameLimit(process.platform))) {
              writeSync(file, frame);
              frames++;
            }
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
          }
        };
        const again = setInterval(put, MARK_EVERY_MS);
        waiting.set(mark, done);
        put();
      }),
    missed: () => (existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('lost-')).length : 0),
    close: () => {
      reader.end();
      socket.destroy();
      try {
        closeSync(file);
      } catch {
        // The socket has closed it.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
