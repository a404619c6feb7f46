import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { link, mkdir, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { EnvironmentFault } from '../../store/fault.ts';

/** The length of sun_path less its NUL (unix(7)); the shortest of the systems in use. */
const MAX_SOCKET_PATH = 103;

export type Lock = { release(): Promise<void> };

const numbersIn = async (folder: string): Promise<readonly number[]> =>
  (await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number);

/** Whether a socket is listened on. The kernel answers for its process, also for one that is stopped, and until the last thread of a killed one has ended. */
const isHeld = async (path: string): Promise<boolean> => {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    return !['ECONNREFUSED', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '');
  } finally {
    socket.destroy();
  }
};

const listenOn = async (path: string): Promise<Server> => {
  const server = createServer((socket) => socket.destroy());
  server.listen(path);
  await once(server, 'listening');
  server.unref();
  return server;
};

const refusal = (folder: string): EnvironmentFault =>
  new EnvironmentFault(`another signer has the log ${folder}`, ['Stop that signer first: two would fork the log.']);

/** Takes the first number whose predecessor nobody holds: link(2) gives a name to one process alone, and the name listens from its first moment. */
const takeNumber = async (own: string, locks: string, folder: string): Promise<number> => {
  for (;;) {
    const newest = Math.max(0, ...(await numbersIn(locks)));
    if (newest > 0 && (await isHeld(join(locks, `${newest}`)))) throw refusal(folder);
    try {
      await link(own, join(locks, `${newest + 1}`));
      return newest + 1;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
};

/**
 * Takes the folder of a log; returns once this process alone has it, EnvironmentFault while another has (docs/decisions/signer-log.md). The kernel lets go
 * of a listening socket with its process, so that a kill leaves nothing to clear away.
 */
export const lockFolder = async (folder: string): Promise<Lock> => {
  const locks = join(folder, 'lock');
  const own = join(locks, `.${randomBytes(4).toString('hex')}`);
  if (Buffer.byteLength(own) > MAX_SOCKET_PATH)
    throw new EnvironmentFault(`the path of the log ${folder} is too long for a socket in it`);
  await mkdir(locks, { recursive: true, mode: 0o700 });
  const server = await listenOn(own);
  try {
    const number = await takeNumber(own, locks, folder);
    const others = (await numbersIn(locks)).filter((other) => other !== number);
    // Whoever looked long ago may take a number that was free then, below that of one who holds the log now.
    if (others.some((other) => other > number)) {
      await rm(join(locks, `${number}`));
      throw refusal(folder);
    }
    await Promise.all(others.map((other) => rm(join(locks, `${other}`), { force: true })));
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(own, { force: true });
  }
  return {
    release: async () => {
      server.close();
      await once(server, 'close');
    },
  };
};
