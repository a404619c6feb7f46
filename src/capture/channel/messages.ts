import * as z from 'zod';
import { ENDINGS } from '../../evidence/fields.ts';
import { fitsOf } from '../../evidence/fits.ts';

/** What a hooked process tells the recorder. Its words are those of a stranger: each is checked, none is believed further than it reaches. */

const Name = z.string().max(1_024);
const Text = z.string().max(1 << 20);
const CallId = z.int().min(0);
const Pairs = z.array(z.tuple([Text, Text])).max(10_000);
const Address = z.string().max(128).nullable();

const CallStart = z.strictObject({
  t: z.literal('call'),
  call: CallId,
  /** Which end of the exchange this process is. */
  side: z.enum(['client', 'server']),
  method: Name,
  url: Text,
  headers: Pairs,
  /** The served call in whose asynchronous context it was sent. */
  cause: CallId.nullable(),
  test: Name.nullable(),
  /** Both ends of the socket of a served call: `address:port`. */
  local: Address,
  remote: Address,
});

const CallSocket = z.strictObject({
  t: z.literal('socket'),
  call: CallId,
  local: Address,
  remote: Address,
  /** Address of the connected socket. */
  connected: Address,
  /** What the name resolved to; null when nothing was looked up. */
  resolved: z.array(z.string().max(128)).max(1_000).nullable(),
  /** The host that was dialled; null when not known. */
  dialled: Name.nullable(),
});

const Told = z.discriminatedUnion('t', [
  CallStart,
  CallSocket,
  z.strictObject({
    t: z.literal('hello'),
    pid: z.int(),
    thread: z.int(),
    program: Name,
    node: Name,
  }),
  z.strictObject({ t: z.literal('bye'), lost: z.int().min(0) }),
  z.strictObject({ t: z.literal('spawned'), pid: z.int(), program: Name }),
  z.strictObject({ t: z.literal('exited'), pid: z.int(), code: z.int().nullable(), signal: Name.nullable() }),
  z.strictObject({ t: z.literal('request'), call: CallId, last: z.boolean() }),
  z.strictObject({ t: z.literal('response'), call: CallId, status: z.int().min(100).max(999), headers: Pairs }),
  z.strictObject({ t: z.literal('chunk'), call: CallId }),
  z.strictObject({ t: z.literal('end'), call: CallId, ended: z.enum(ENDINGS), error: Name.nullable() }),
  z.strictObject({ t: z.literal('event'), cause: CallId.nullable(), test: Name.nullable() }),
  z.strictObject({ t: z.literal('gap'), what: Name }),
  z.strictObject({ t: z.literal('runs-tests') }),
  z.strictObject({ t: z.literal('test-begin'), test: Name, name: Name }),
  z.strictObject({ t: z.literal('test-end'), test: Name }),
]);
export type Told = Readonly<z.infer<typeof Told>>;
export type CallStart = Readonly<z.infer<typeof CallStart>>;
export type CallSocket = Readonly<z.infer<typeof CallSocket>>;

const isTold = fitsOf(Told);

/** Reads the head of a message; null when it is not one of these. */
export const readTold = (head: string): Told | null => {
  try {
    const value: unknown = JSON.parse(head);
    if (isTold(value)) return value as Told;
    const read = Told.safeParse(value);
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};
