import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  createMessageConnection,
  type MessageConnection,
  NullLogger,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type { JsonObject } from '../../base/json-value.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { PCM_LIMITS } from '../../pcm/limits.ts';
import { readStrict } from '../../pcm/strict-json.ts';
import { EnvironmentFault } from '../../store/fault.ts';
import { invalid, type RefusalCode, Refused } from '../refused.ts';

const socketTo = async (path: string): Promise<Socket> => {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    throw EnvironmentFault.of(error, `no signer answers at ${path}`);
  }
};

/** The signer ends the connection of a request that it cannot read strictly: told here, it is an error that says where. */
const requireReadable = (params: JsonObject): void => {
  const read = readStrict(encodeUtf8(JSON.stringify(params)), { what: 'request', maxBytes: PCM_LIMITS.messageBytes });
  if (read.ok) return;
  const [{ at, detail }] = read.findings;
  throw invalid(at === '' ? detail : `${at}: ${detail}`);
};

/** One connection to a signer. */
export class Wire {
  private readonly socket: Socket;
  private readonly connection: MessageConnection;
  private readonly gone: Promise<never>;

  private constructor(socket: Socket, path: string) {
    this.socket = socket;
    this.connection = createMessageConnection(
      new StreamMessageReader(socket),
      new StreamMessageWriter(socket),
      NullLogger,
    );
    this.connection.onError(() => socket.destroy());
    this.gone = new Promise((_, reject) => {
      socket.once('close', () => reject(new EnvironmentFault(`the signer at ${path} ended the connection`)));
    });
    // Whoever is waiting for an answer then hears of it; nobody may be.
    this.gone.catch(() => {});
    socket.on('error', () => {});
    this.connection.listen();
  }

  /** Connects to a socket and says hello. Rejects with EnvironmentFault when nobody answers there, with Refused when the token is not known. */
  static async open(path: string, token: string): Promise<Wire> {
    const wire = new Wire(await socketTo(path), path);
    try {
      await wire.call('hello', { token });
      return wire;
    } catch (error) {
      wire.close();
      throw error;
    }
  }

  /** Makes one call. Rejects with Refused, or EnvironmentFault when the connection ends first: whether the call was done is then not known. */
  async call<T>(method: string, params: JsonObject): Promise<T> {
    requireReadable(params);
    try {
      return await Promise.race([this.connection.sendRequest<T>(method, params), this.gone]);
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      const { code } = (error.data ?? {}) as { code?: RefusalCode };
      throw new Refused(code ?? 'unavailable', error.message);
    }
  }

  close(): void {
    this.connection.dispose();
    this.socket.destroy();
  }
}
