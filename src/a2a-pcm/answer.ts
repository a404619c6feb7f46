import type { ServerResponse } from 'node:http';
import type { JsonBinding } from '../pcm/a2a-parts.ts';
import type { RefusedMessage } from './receiver.ts';
import { brief, refusalText } from './refused.ts';

/** To whom a refusal is told. */
export type Asked = {
  readonly binding: JsonBinding;
  /** The value of A2A-Version; a request without it speaks 0.3. */
  readonly version: string;
  /** The id of the JSON-RPC request, null where it has none that can be told. */
  readonly id: string | number | null;
};

/** The sender's fault lies in its params, whichever reason: no code of A2A says more (A2A 1.0, section 5.4; JSON-RPC 2.0, section 5.1). */
const INVALID_PARAMS = -32602;
const LISTED = 16;

/** Each reason as google.rpc.ErrorInfo, as A2A 1.0 tells errors; `pointer` is where in the message or the request. */
const detailsOf = ({ verdict, findings }: RefusedMessage) =>
  findings.slice(0, LISTED).map(({ reason, at, detail }) => ({
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'forensictrace',
    metadata: { verdict, pointer: brief(at), detail: brief(detail) },
  }));

const statusOf = ({ verdict, findings }: RefusedMessage): readonly [number, string] => {
  if (findings[0]?.reason === 'PCM_A2A_BODY_TOO_LONG') return [413, 'INVALID_ARGUMENT'];
  return verdict === 'bad-input' ? [400, 'INVALID_ARGUMENT'] : [403, 'PERMISSION_DENIED'];
};

const bodyOf = (
  refused: RefusedMessage,
  { binding, version, id }: Asked,
  [code, status]: readonly [number, string],
) => {
  const message = refusalText(refused);
  const details = detailsOf(refused);
  if (binding === 'JSONRPC') return { jsonrpc: '2.0', id, error: { code: INVALID_PARAMS, message, data: details } };
  return version.startsWith('1.')
    ? { error: { code, status, message, details } }
    : { code: INVALID_PARAMS, message, data: details };
};

/** Answers a request with a refusal: an error of JSON-RPC in a response of status 200, as the SDK does, or one of HTTP+JSON, of 1.0 or 0.3. */
export const answerRefusal = (response: ServerResponse, refused: RefusedMessage, asked: Asked): void => {
  const status = statusOf(refused);
  response.statusCode = asked.binding === 'JSONRPC' ? 200 : status[0];
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(bodyOf(refused, asked, status)));
};
