import type { Message } from 'vscode-jsonrpc/node';
import * as z from 'zod';
import { encodeUtf8 } from '../../base/utf8.ts';
import { jcs } from '../../pcm/jcs.ts';
import { Members } from '../../pcm/shapes.ts';
import { readStrict } from '../../pcm/strict-json.ts';
import type { PcmValue } from '../../pcm/value.ts';
import { shapeFault } from '../shape.ts';

const NAME = 'application/json';

/** Requests alone: a notification has no answer, so that nobody would count it, and a response was never asked for. */
const Request = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number().int(), z.string().max(64)]),
  method: z.string().max(64),
  params: Members,
});

/** Reads a request strictly, each number with the kind of its token: what is signed or committed to must be what was sent. */
export const requestDecoder = {
  name: NAME,
  decode: async (bytes: Uint8Array): Promise<Message> => {
    const read = readStrict(bytes, { what: 'request', maxBytes: bytes.length });
    if (!read.ok) throw new Error(read.findings[0].detail);
    const fault = shapeFault(Request, read.value);
    if (fault !== null) throw new Error(`no request: ${fault.at} ${fault.detail}`);
    return read.value as unknown as Message;
  },
};

/** Writes an answer as canonical text, which keeps what a number was. */
export const answerEncoder = {
  name: NAME,
  encode: async (message: Message): Promise<Uint8Array> => encodeUtf8(jcs(message as unknown as PcmValue)),
};
