import * as z from 'zod';
import { type HostReading, hostOfUrl } from '../../pcm/hosts.ts';
import type { ActionConfig } from '../config-shape.ts';
import { forbidden, invalid } from '../refused.ts';
import { paramsOf } from '../shape.ts';
import type { Action, Outcome } from './action.ts';

const MAX_BODY = 256 * 1024;

const HeaderName = /^[A-Za-z0-9-]{1,64}$/;
const HeaderValue = /^[\x20-\x7e]{0,4096}$/;
/** With these a request could be told apart by two servers, or reach another than its URL names. */
const FIXED_HEADERS: readonly string[] = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'te',
  'expect',
  'keep-alive',
];

const Args = z.strictObject({
  url: z.string().min(1).max(8192),
  headers: z.record(z.string(), z.string()).optional(),
});

const requireHeaders = (headers: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(headers)) {
    if (!HeaderName.test(name) || FIXED_HEADERS.includes(name.toLowerCase()))
      throw invalid(`/args/headers: ${JSON.stringify(name)} is no header that an agent gives`);
    if (!HeaderValue.test(value))
      throw invalid(`/args/headers/${name}: a value is at most 4096 printable ASCII characters`);
  }
};

const told = (reading: HostReading): string | null => ('host' in reading ? reading.host : null);

/** What a verifier will read as the host of this call is what is fetched, or nothing is. */
const targetOf = (text: string, hosts: readonly string[]): URL => {
  const reading = hostOfUrl(text);
  if ('untold' in reading) throw invalid(`/args/url ${reading.untold}`);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw invalid('/args/url: an http or https URL is fetched');
  if (url.username !== '' || url.password !== '') throw invalid('/args/url: a URL that is fetched holds no password');
  // No URL is known that the two read apart; the one that is fetched is the one that counts.
  if (told(hostOfUrl(url.href)) !== reading.host) throw invalid('/args/url: it is read as two hosts');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (!hosts.includes(reading.host!) && !hosts.includes(`${reading.host}:${port}`))
    throw forbidden(`the executor fetches from ${hosts.join(', ')}, and not from ${reading.host}:${port}`);
  return url;
};

const bodyOf = async (response: Response): Promise<{ body: string; truncated: boolean }> => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && length <= MAX_BODY) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.length;
  }
  await reader?.cancel();
  return { body: new TextDecoder().decode(Buffer.concat(pieces).subarray(0, MAX_BODY)), truncated: length > MAX_BODY };
};

type Request = { readonly url: URL; readonly headers: Readonly<Record<string, string>>; readonly timeoutS: number };

const execute = async ({ url, headers, timeoutS }: Request, running: Set<AbortController>): Promise<Outcome> => {
  const call = new AbortController();
  running.add(call);
  const timer = setTimeout(() => call.abort(new Error(`it did not end within ${timeoutS} s`)), timeoutS * 1000);
  try {
    // A redirect names another URL, which the policy has not decided: the agent is told where to, and may ask.
    const response = await fetch(url, { headers, redirect: 'manual', signal: call.signal });
    const { status } = response;
    const location = response.headers.get('location');
    return { ok: status < 400, seen: { status }, told: { status, location, ...(await bodyOf(response)) } };
  } catch (error) {
    const cause = (error as Error).cause ?? error;
    return { ok: false, seen: { status: null }, told: { status: null, why: String((cause as Error).message) } };
  } finally {
    clearTimeout(timer);
    running.delete(call);
  }
};

/** Fetches a URL (GET) of a listed host; ok when the answer's status is below 400. Follows no redirect. Args: `url`, and `headers` or none. */
export const httpAction = ({ hosts, timeout_s }: ActionConfig & { does: 'http' }): Action => {
  const running = new Set<AbortController>();
  return {
    prepare: (args) => {
      const { url, headers = {} } = paramsOf(Args, args);
      requireHeaders(headers);
      const request = { url: targetOf(url, hosts), headers, timeoutS: timeout_s };
      return () => execute(request, running);
    },
    end: () => {
      for (const call of running) call.abort();
    },
  };
};
