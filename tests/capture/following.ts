import type { Capture } from '../../src/capture/index.ts';

/** An agent is sent a message with a URI in it, and follows that URI to the end of its body. */
export const followingCapture = async (
  running: Capture,
  uri: string,
  guard?: () => Promise<boolean>,
): Promise<void> => {
  const answer = async () => new Response('{}', { headers: { 'content-type': 'application/json' } });
  const send = running.fetch({ agent: 'caller', binding: 'JSONRPC', fetch: answer });
  const params = { message: { messageId: 'm-1', parts: [{ text: `read ${uri}` }] } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params });
  await (await send('http://agent.test/', { method: 'POST', body })).text();
  const follow = running.uriFetch({ agent: 'researcher', ...(guard && { guard }) });
  await (await follow(uri)).text();
};
