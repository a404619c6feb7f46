import type { Socket } from 'node:net';
import {
  createMessageConnection,
  type Message,
  NullLogger,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import * as z from 'zod';
import type { PcmObject } from '../../pcm/value.ts';
import { answer } from '../answer.ts';
import { type Identity, SCHEME } from '../identity.ts';
import { Refused } from '../refused.ts';
import { paramsOf } from '../shape.ts';
import type { Signer } from '../signer.ts';
import type { Tokens } from '../tokens.ts';
import { answerEncoder, requestDecoder } from './codec.ts';
import type { Connections } from './connections.ts';
import { FrameGuard } from './frame-guard.ts';

const HELLO_MS = 10_000;
/** The code of every refusal (JSON-RPC 2.0 section 5.1: -32000 to -32099 are the server's own); which one it is stands in `data.code`. */
const REFUSED = -32_000;

/** What a session needs besides its socket. */
export type Desk = {
  readonly signer: Signer;
  readonly tokens: Tokens<Identity>;
  readonly connections: Connections;
  /** Told of what is no refusal, and the caller learns nothing of: a bug, or an EnvironmentFault, after which the log takes no more. */
  readonly onFault: (error: unknown) => void;
};

const Hello = z.strictObject({ token: z.string().max(128) });

/** Says of each answer that it is on its way: a client that reads none is sent no more. */
class AnsweringWriter extends StreamMessageWriter {
  private readonly onAnswered: () => void;

  constructor(socket: Socket, onAnswered: () => void) {
    super(socket, { contentTypeEncoder: answerEncoder });
    this.onAnswered = onAnswered;
  }

  override async write(message: Message): Promise<void> {
    await super.write(message);
    this.onAnswered();
  }
}

const toldOf = (error: unknown, onFault: Desk['onFault']): ResponseError<{ code: string }> => {
  if (error instanceof Refused) {
    if (error.cause !== undefined) onFault(error.cause);
    return new ResponseError(REFUSED, error.detail, { code: error.code });
  }
  onFault(error);
  return new ResponseError(REFUSED, 'an error of the signer: nothing was signed', { code: 'unavailable' });
};

/** Serves one connection: its first call is `hello` with a token, which says who it is for as long as it lasts. */
export const serveSession = (socket: Socket, { signer, tokens, connections, onFault }: Desk): void => {
  const guard = new FrameGuard();
  let caller: Identity | null = null;
  let isTurnedAway = false;
  const end = (): void => void socket.destroy();
  const strangers = setTimeout(end, HELLO_MS);

  const hello = (params: PcmObject): PcmObject => {
    const found = tokens.find(paramsOf(Hello, params).token);
    isTurnedAway = true;
    if (found === null) throw new Refused('unauthenticated', 'the signer knows no such token');
    connections.enter(found.id);
    isTurnedAway = false;
    clearTimeout(strangers);
    caller = found;
    return { identity: { scheme: SCHEME, subject: found.id.slice(SCHEME.length + 1) } };
  };

  const call = async (method: string, params: PcmObject): Promise<PcmObject> => {
    if (caller !== null) return answer(signer, caller, method, params);
    if (method === 'hello') return hello(params);
    throw new Refused('unauthenticated', 'the first call is hello, with a token');
  };

  const answered = (): void => {
    guard.answered();
    if (isTurnedAway) socket.end();
  };

  const reader = new StreamMessageReader(socket.pipe(guard), { contentTypeDecoder: requestDecoder });
  const connection = createMessageConnection(reader, new AnsweringWriter(socket, answered), NullLogger, {
    maxParallelism: 16,
  });
  connection.onRequest(async (method: string, params: unknown) => {
    try {
      return await call(method, params as PcmObject);
    } catch (error) {
      return toldOf(error, onFault);
    }
  });
  // A frame that cannot be read ends its connection: what follows it would be read from the middle.
  connection.onError(end);
  guard.on('error', end);
  socket.on('error', end);
  socket.on('close', () => {
    clearTimeout(strangers);
    if (caller !== null) connections.leave(caller.id);
    connection.dispose();
  });
  connection.listen();
};
