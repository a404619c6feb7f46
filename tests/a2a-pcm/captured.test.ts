import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClientFactory } from '@a2a-js/sdk/client';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { expect, it } from 'vitest';
import { createPcmGuard } from '../../src/a2a-pcm/guard.ts';
import { pcmPart } from '../../src/a2a-pcm/part.ts';
import { createReplay } from '../../src/pcm/replay.ts';
import { pcmTime } from '../../src/pcm/time.ts';
import { reportOf } from '../../src/report/report.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { verify } from '../../src/verify/verify.ts';
import { capture, cardAt, executorOf, folder, listen } from '../capture/lab.ts';
import { bytesOf } from '../pcm/lab.ts';
import { asObject } from '../support/bundle.ts';
import { testSigner, trustDocument } from '../support/seal.ts';
import { FILES } from '../verify/pcm-lab.ts';
import { fresh, receiverB, requestOf, textOf } from './lab.ts';

const experiment = JSON.parse(readFileSync('profiles/experiment.json', 'utf8'));
const PROFILE = asObject({
  ...experiment,
  as: { ...experiment.as, pinned_cards: [] },
  pcm: { identities: [{ agent: 'planner', identity: 'uid:2' }] },
});

it('a capture of both sides before a guard: what was sent once is consistent, what was sent again is named, once', async () => {
  const dir = folder();
  const running = capture(join(dir.path, 'run'));
  const receiver = receiverB({}, undefined, { now: Date.now, replay: createReplay(pcmTime(Date.now())) });
  const guard = createPcmGuard(receiver);
  const server = await listen((app, origin) => {
    const requestHandler = new DefaultRequestHandler(
      cardAt(origin),
      new InMemoryTaskStore(),
      executorOf(() => ['done']),
      running.eventBus('planner'),
    );
    app.use('/rpc', running.middleware({ agent: 'planner', binding: 'JSONRPC' }), guard.before('JSONRPC'));
    app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  });
  const client = await new ClientFactory(running.client({ agent: 'caller' })).createFromAgentCard(
    cardAt(server.origin),
  );
  const [once, twice] = [0, 1].map(() => pcmPart(textOf(fresh({ ts: pcmTime(Date.now() + 1) }))));
  await client.sendMessage(requestOf(once!));
  await client.sendMessage(requestOf(twice!));
  await expect(client.sendMessage(requestOf(twice!))).rejects.toThrow(/PCM_REPLAY_SEEN/);
  await server.close();
  const { bundlePath, receiptPath } = running.finish({ signer: () => testSigner(), profile: PROFILE });
  const files = { bundle: readFileSync(bundlePath), receipt: readFileSync(receiptPath), profile: bytesOf(PROFILE) };
  const input = { ...files, trust: bytesOf(trustDocument()), pcm: FILES, mode: 'full' as const, otherProfile: false };
  const report = reportOf(verify(input, nativeCrypto));
  dir.remove();
  expect(report.refusals).toEqual([]);
  expect(report.families.at(-1)).toEqual({ family: 'PCM', status: 'INDICATED', triggers: 3 });
  const findings = report.findings.filter(({ family }) => family === 'PCM');
  expect(findings).toMatchObject([
    { reason: 'PCM_TRACE_REJECTED', explanation: expect.stringContaining('this message was already received') },
  ]);
  const exchanges = JSON.parse(new TextDecoder().decode(files.bundle)).exchanges as {
    exchange_id: string;
    observer: string;
  }[];
  expect(exchanges).toHaveLength(6);
  expect(exchanges.find(({ exchange_id }) => exchange_id === findings[0]!.affected.id)!.observer).toBe('sdk-server');
});
