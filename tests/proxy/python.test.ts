import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Role } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { profileWith } from '../capture/wire/world.ts';
import { describeWithPython, PYTHON } from '../interop/support/python.ts';
import { closeAll, openProxies, serve } from './lab.ts';

/** One message by the client of the SDK, to where the card leads that the proxy forwards. */
const ask = async (proxy: string, text: string, streaming = false): Promise<string> => {
  const client = await new ClientFactory().createFromUrl(proxy);
  const request = {
    tenant: '',
    message: {
      messageId: `message ${text}`,
      role: Role.ROLE_USER,
      parts: [{ content: { $case: 'text' as const, value: text }, mediaType: '', filename: '', metadata: undefined }],
      taskId: '',
      contextId: '',
      extensions: [],
      metadata: undefined,
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: undefined,
  };
  if (!streaming) return JSON.stringify(await client.sendMessage(request));
  const events: unknown[] = [];
  for await (const event of client.sendMessageStream(request)) events.push(event);
  return JSON.stringify(events);
};

describeWithPython('an agent of the Python SDK behind proxies', () => {
  let python: ChildProcess;
  let agent: string;
  beforeAll(async () => {
    python = spawn(PYTHON, ['-B', 'tests/proxy/reader.py'], { stdio: ['ignore', 'pipe', 'inherit'] });
    [agent] = (await once(createInterface({ input: python.stdout! }), 'line')) as [string];
  });
  afterAll(async () => {
    python.kill('SIGKILL');
    if (python.exitCode === null) await once(python, 'exit');
  });
  afterEach(closeAll);

  /** A site that sends on to `moved`, an internal service, and the profile that allows the site alone. */
  const surroundings = async (moved: () => string) => {
    const site = await serve((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: moved() }).end();
      else response.end('a page');
    });
    const internal = await serve((_, response) => response.end('an internal secret'));
    const ports = [Number(new URL(site).port)];
    return { site, internal, profile: profileWith({ asrf: { ports, allowed_classes: ['public', 'loopback'] } }) };
  };

  test.each([false, true])(
    'three of them, and a page that redirects to the internal service: verify names the dereference (streaming: %s)',
    async (streaming) => {
      let internalProxy = '';
      const { site, internal, profile } = await surroundings(() => `${internalProxy}/secret`);
      const lab = await openProxies([agent, site, internal], { profile });
      internalProxy = lab.at[2]!;
      expect(await ask(lab.at[0]!, `${lab.at[1]}/moved`, streaming)).toContain('18 characters');
      const { findings, records, verdict, trace } = await lab.judged();
      expect(trace).toMatchObject({ ended: 'complete', gaps: [] });
      const [, hop] = records.uri_dereferences;
      expect(verdict).toBe('FORENSICALLY_INDICATED');
      expect(findings).toEqual([`ASRF_PORT_OUTSIDE_POLICY ${hop!.dereference_id}`]);
      expect(hop).toMatchObject({ uri: `${internal}/secret`, hop: 1, connected_address: '127.0.0.1', status: 200 });
      expect(records.endpoints).toMatchObject([{ url: `${agent}/rpc`, agent: 'Reader' }]);
      expect(records.exchanges.map(({ url, ended }) => [url, ended])).toContainEqual([`${agent}/rpc`, 'complete']);
    },
  );

  test('three of them, and an allowed page: consistent', async () => {
    const { site, internal, profile } = await surroundings(() => '');
    const lab = await openProxies([agent, site, internal], { profile });
    expect(await ask(lab.at[0]!, `${lab.at[1]}/page`)).toContain('6 characters');
    const { findings, status, verdict, records } = await lab.judged();
    expect(findings).toEqual([]);
    expect(status('ASRF')).toBe('CONSISTENT');
    expect(verdict).toBe('FORENSICALLY_CONSISTENT');
    expect(records.uri_dereferences).toMatchObject([{ uri: `${site}/page`, connected_address: '127.0.0.1' }]);
  });

  test('one before the agent alone: what it fetches is not seen, so nothing is said to be consistent', async () => {
    const { internal, profile } = await surroundings(() => '');
    const lab = await openProxies([agent], { profile });
    expect(await ask(lab.at[0]!, `${internal}/secret`)).toContain('18 characters');
    const { status, verdict } = await lab.judged();
    expect(status('ASRF')).toBe('NOT_OBSERVED');
    expect(verdict).not.toBe('FORENSICALLY_CONSISTENT');
  });
});
