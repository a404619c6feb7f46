import { once } from 'node:events';
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { EnvironmentFault } from '../store/fault.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import type { SignerConfig } from './config.ts';
import { type Identity, identityOf } from './identity.ts';
import { openSigner } from './open-signer.ts';
import { Connections } from './rpc/connections.ts';
import { type Desk, serveSession } from './rpc/session.ts';
import { tokenFrom } from './secrets.ts';
import { Tokens } from './tokens.ts';

const MAX_CONNECTIONS = 512;
/** The length of sun_path less its NUL (unix(7)); the shortest of the systems in use. */
const MAX_SOCKET_PATH = 103;

export type Serving = {
  /** What receivers pin. */
  readonly vkey: string;
  /** How many records the log had when it was opened. */
  readonly records: number;
  /** By how many milliseconds the signer's time, which never goes back, was ahead of the clock when the log was opened. */
  readonly aheadMs: number;
  /** Ends all connections, waits for what is being written, and lets another signer have the log. */
  readonly close: () => Promise<void>;
};

const tokensOf = ({ identities }: SignerConfig): Tokens<Identity> => {
  const tokens = new Tokens<Identity>();
  for (const { name, role, tenant, token_file } of identities) {
    const token = tokenFrom(token_file, true);
    if (tokens.find(token) !== null)
      throw new EnvironmentFault(`the token of ${name} in ${token_file} is another identity's: each has its own`);
    tokens.add(token, { id: identityOf(name), role, tenant });
  }
  return tokens;
};

const isAnswered = async (path: string): Promise<boolean> => {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};

/** Takes away the socket that a killed signer left; refuses a file of another kind, and a socket that another process has. */
const removeOldSocket = async (path: string): Promise<void> => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket())
    throw new EnvironmentFault(`${path} is there and is no socket: name another in the configuration`);
  if (await isAnswered(path)) throw new EnvironmentFault(`another process listens at ${path}: name another socket`);
  rmSync(path);
};

/**
 * Serves a signer on its socket until it is closed. Takes a configuration that was read, and what to do with an error that no caller is told of. Token files that are not there
 * are made. Throws EnvironmentFault: another signer has the log, a file can be read by others, the socket cannot be made.
 */
export const serveSigner = async (config: SignerConfig, onFault: Desk['onFault']): Promise<Serving> => {
  if (Buffer.byteLength(config.socket) > MAX_SOCKET_PATH)
    throw new EnvironmentFault(`the path of the socket ${config.socket} is longer than ${MAX_SOCKET_PATH} bytes`);
  const tokens = tokensOf(config);
  const signer = await openSigner(config, nativeCrypto, Date.now);
  const aheadMs = signer.book.nowMs() - Date.now();
  const sockets = new Set<Socket>();
  const connections = new Connections();
  let closing = false;
  // What is still running finds the log closed then, and nobody waits for its answer.
  const told = new WeakSet<object>();
  const report: Desk['onFault'] = (error) => {
    // A log that has stopped refuses every call with the same error.
    if (closing || (error instanceof Error && told.has(error))) return;
    if (error instanceof Error) told.add(error);
    onFault(error);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serveSession(socket, { signer, tokens, connections, onFault: report });
  });
  server.maxConnections = MAX_CONNECTIONS;
  try {
    await removeOldSocket(config.socket);
    server.listen(config.socket);
    await once(server, 'listening');
    chmodSync(config.socket, Number.parseInt(config.socket_mode, 8));
    // A connection that the system cannot take, for want of descriptors, is no end of those that are there.
    server.on('error', report);
  } catch (error) {
    await signer.log.close();
    throw error instanceof EnvironmentFault ? error : EnvironmentFault.of(error, `cannot listen on ${config.socket}`);
  }
  const close = async (): Promise<void> => {
    closing = true;
    server.close();
    for (const socket of sockets) socket.destroy();
    for (const action of signer.actions.values()) action.end?.();
    await signer.log.close();
  };
  return { vkey: signer.signing.vkey, records: signer.log.size, aheadMs, close };
};
