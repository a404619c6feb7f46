import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { capture, finish, folder, listen } from './lab.ts';

const at = (place: number): string => `s3cret-${String(place).padStart(2, '0')}-value`;
const SECRETS = Array.from({ length: 16 }, (_, place) => at(place + 1));
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Every form in which a secret may stand in a file. */
const formsOf = (secret: string): string[] =>
  [0, 1, 2]
    .map((offset) => base64(' '.repeat(offset) + secret).slice(4, 16))
    .concat(secret, encodeURIComponent(secret));

test('secrets planted in sixteen places are nowhere in bundle, receipt or journal', async () => {
  const place = folder();
  const running = capture(place.path, { secrets: [at(16)] });
  const server = await listen((app) => {
    app.use('/rpc', running.middleware({ agent: 'planner', binding: 'JSONRPC' }));
    app.post('/rpc', async (request, response) => {
      request.resume();
      response.setHeader('set-cookie', `sid=${at(8)}; Path=/`);
      response.setHeader('content-type', 'text/event-stream');
      const parts = [
        { text: `you sent ${at(1)} and ${at(2)}` },
        { raw: base64(`xx${at(3)}yy`) },
        { text: `https://h.test/?q=${encodeURIComponent(at(1))}` },
        { text: `cookie ${at(8)}` },
        { text: at(16) },
      ];
      const event = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', parts } } } })}\n\n`;
      for (const piece of event.match(/.{1,7}/gs) ?? []) {
        response.write(piece);
        await wait(0);
      }
      response.write(
        `data: {"jsonrpc":"2.0","id":1,"result":\ndata: {"url":"https://h.test/hook","token":\ndata: "${at(9)}"}}\n\n`,
      );
      response.end(`data: {"pushNotificationConfig":{"token":"${at(10)}`);
    });
    app.get('/start', (_request, response) => response.redirect(`/page?access_token=${at(11)}`));
    app.get(
      '/page',
      (_request, response) => void response.send(`<a href="https://u:${at(12)}@h.test/">x</a>${at(13)}`),
    );
  });
  try {
    const send = running.fetch({ agent: 'coordinator', binding: 'JSONRPC' });
    const response = await send(`${server.origin}/rpc?api_key=${at(4)}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${at(1)}`,
        cookie: `a=b; sid=${at(2)}`,
        'x-api-key': at(3),
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'SendMessage',
        params: {
          message: { messageId: 'm', parts: [{ text: `look at https://user:${at(5)}@h.test/` }] },
          configuration: {
            taskPushNotificationConfig: {
              url: 'https://h.test/hook',
              token: at(6),
              authentication: { scheme: 'Bearer', credentials: at(7) },
            },
          },
        },
      }),
    });
    const received = await response.text();
    for (const number of [1, 2, 8, 9, 10, 16]) expect(received).toContain(at(number));
    const look = running.uriFetch({ agent: 'planner' });
    const page = await look(`${server.origin}/start?token=${at(14)}`, {
      headers: { authorization: `Basic ${base64(`user:${at(13)}`)}` },
    });
    const html = await page.text();
    expect(html).toContain(at(13));
    running.observe.sanitizer({ name: 'x', version: null, input: Buffer.from(html), output: Buffer.from(html) });
    running.observe.uriDereference({
      reference_id: null,
      redirect_of: null,
      hop: 0,
      agent: null,
      uri: `https://h.test/?signature=${at(15)}`,
      method: 'GET',
      resolved_addresses: null,
      connected_address: null,
      dial_override: null,
      via_proxy: null,
      outcome: 'not_attempted',
      status: null,
      ended: null,
      request_headers: [],
      response_headers: [],
      request_body: null,
    });
    await server.close();
    const { refusals, records } = finish(running);
    expect(refusals).toEqual([]);
    const files = readdirSync(place.path);
    expect(files.sort()).toEqual(['incident-1.bundle.json', 'incident-1.journal', 'incident-1.receipt.json']);
    for (const file of files) {
      const text = readFileSync(join(place.path, file), 'utf8');
      const found = SECRETS.filter((secret) => formsOf(secret).some((form) => text.includes(form)));
      expect(found, file).toEqual([]);
      expect(text.includes('REDACTED'), file).toBe(!file.includes('receipt'));
    }
    const kinds = records.trace_metadata[0]!.redactions.map(({ what }) => what).sort();
    expect(kinds).toEqual([
      'URL credential',
      'credential header',
      'known secret value',
      'push notification credential',
    ]);
    expect(records.exchanges.map(({ observer, ended }) => [observer, ended])).toEqual([
      ['sdk-client', 'aborted'],
      ['sdk-server', 'aborted'],
    ]);
    expect(records.artifacts.length).toBe(10);
  } finally {
    place.remove();
  }
});
