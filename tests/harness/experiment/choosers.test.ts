import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { actionOf, type Chooser, choose } from '../../../harness/experiment/chooser.ts';
import { MODEL_OPTIONS, openChoosers } from '../../../harness/experiment/choosers/choosers.ts';
import { constantChooser, contentFreeChooser, randomChooser } from '../../../harness/experiment/choosers/controls.ts';
import { openOllama } from '../../../harness/experiment/choosers/ollama.ts';
import { promptDigest, promptOf, type Question } from '../../../harness/experiment/prompt.ts';

const ACTIONS = ['go_left', 'go_right', 'stay'] as const;
const question: Question = { task: 'Go to the left.', actions: ACTIONS };

test('a reply is valid when it is exactly an object of one permitted action, and is never repaired', () => {
  expect(actionOf('{"action":"stay"}', ACTIONS)).toBe('stay');
  expect(actionOf(' {"action" : "go_left"}\n', ACTIONS)).toBe('go_left');
  for (const reply of [
    '',
    'stay',
    '"stay"',
    '{}',
    '{"action":"Stay"}',
    '{"action":" stay"}',
    '{"action":"stay","why":"x"}',
    '{"action":["stay"]}',
    '[{"action":"stay"}]',
    '{"action":"stay"} {"action":"stay"}',
    '{"action":"constructor"}',
    '```json\n{"action":"stay"}\n```',
  ]) {
    expect([reply, actionOf(reply, ACTIONS)]).toEqual([reply, null]);
  }
});

test('no reply at random is valid but those that say an action', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (reply) => {
      const action = actionOf(reply, ACTIONS);
      if (action !== null) expect(JSON.parse(reply)).toEqual({ action });
    }),
  );
});

test('an invalid reply is kept as it came', async () => {
  const rambling: Chooser = async () => ({ reply: 'I would go left', prompt_sha256: null });
  expect(await choose(rambling, question)).toEqual({
    reply: 'I would go left',
    prompt_sha256: null,
    valid: false,
    action: null,
  });
});

test('the constant chooser takes the first action, the random one each of them, the same by the same seed', async () => {
  expect((await choose(constantChooser, question)).action).toBe('go_left');
  const drawn = async (seed: string) => (await choose(randomChooser(seed), question)).action;
  const seeds = Array.from({ length: 60 }, (_, n) => `seed ${n}`);
  const actions = await Promise.all(seeds.map(drawn));
  expect(new Set(actions)).toEqual(new Set(ACTIONS));
  expect(await Promise.all(seeds.map(drawn))).toEqual(actions);
});

test('the content-free chooser tells the model the actions and no task', async () => {
  const told: Question[] = [];
  await contentFreeChooser(async (asked) => {
    told.push(asked);
    return { reply: '', prompt_sha256: null };
  })(question);
  expect(told).toEqual([{ task: 'N/A', actions: ACTIONS }]);
});

type Asked = { readonly url: string; readonly body: unknown };
let server: Server;
let asked: Asked[];
let folder: string;
let digest: string;
const hostOf = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A server that speaks what is used of Ollama's API, with one model in a store of its own. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ollama-'));
  asked = [];
  const layer = `sha256:${'ab'.repeat(32)}`;
  const manifest = JSON.stringify({
    config: {
      mediaType: 'application/vnd.docker.container.image.v1+json',
      digest: `sha256:${'cd'.repeat(32)}`,
      size: 3,
    },
    layers: [{ mediaType: 'application/vnd.ollama.image.model', digest: layer, size: 7 }],
  });
  digest = createHash('sha256').update(manifest).digest('hex');
  const place = join(folder, 'manifests', 'registry.ollama.ai', 'library', 'small');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'latest'), manifest);
  const answers: Readonly<Record<string, object>> = {
    '/api/tags': { models: [{ name: 'small:latest', digest }] },
    '/api/show': { modelfile: `# a Modelfile\nFROM ${folder}/blobs/sha256-${'ab'.repeat(32)}\n` },
    '/api/version': { version: '0.17.4' },
    '/api/chat': { message: { role: 'assistant', content: '{"action": "stay"}' }, done: true },
  };
  server = createServer(async (request, response) => {
    const url = request.url ?? '';
    asked.push({ url, body: request.method === 'POST' ? await json(request) : null });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[url]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

test('Ollama is asked by the prompt, the schema and the fixed options alone; model, layers, server and build are identified', async () => {
  const binary = join(folder, 'ollama');
  writeFileSync(binary, 'program');
  writeFileSync(`${binary}.build`, 'go install, -O3\n');
  const model = await openOllama({ host: hostOf(), model: 'small', digest, binary }, MODEL_OPTIONS);
  expect(model.identity).toEqual({
    name: 'small:latest',
    digest,
    layers: [
      { media_type: 'application/vnd.docker.container.image.v1+json', digest: 'cd'.repeat(32), size: 3 },
      { media_type: 'application/vnd.ollama.image.model', digest: 'ab'.repeat(32), size: 7 },
    ],
  });
  expect(model.server).toEqual({
    name: 'ollama',
    version: '0.17.4',
    binary_sha256: createHash('sha256').update('program').digest('hex'),
    build: 'go install, -O3',
  });
  const prompt = promptOf(question);
  expect(await model.chooser(question)).toEqual({ reply: '{"action": "stay"}', prompt_sha256: promptDigest(prompt) });
  await model.close();
  expect(asked.filter(({ url }) => url === '/api/chat').map(({ body }) => body)).toEqual([
    {
      model: 'small',
      messages: [{ role: 'user', content: prompt.message }],
      format: prompt.format,
      options: { seed: 42, temperature: 0, num_ctx: 1024, num_predict: 32, num_thread: 1 },
      keep_alive: '10m',
      stream: false,
    },
  ]);
});

test('another digest than the pinned one, a store that does not fit it, and a model that is not there are refused', async () => {
  const host = hostOf();
  const opening = (model: string, pinned: string | null) =>
    openOllama({ host, model, digest: pinned, binary: null }, MODEL_OPTIONS);
  await expect(opening('small', '0'.repeat(64))).rejects.toThrow(`has digest ${digest}, not 000`);
  await expect(opening('large', null)).rejects.toThrow('has no model large; it has: small:latest');
  writeFileSync(join(folder, 'manifests', 'registry.ollama.ai', 'library', 'small', 'latest'), '{"layers":[]}');
  await expect(opening('small', digest)).rejects.toThrow('is not the manifest that the server speaks of');
  server.close();
  server.closeAllConnections();
  await expect(opening('small', null)).rejects.toThrow('did not list its models');
});

test('beside a model four choosers are asked, beside a script three', async () => {
  const rolesOf = async (plan: Parameters<typeof openChoosers>[0]) => {
    const choosers = await openChoosers(plan);
    const roles = choosers.forRun('run').map(([role]) => role);
    await choosers.close();
    return roles;
  };
  expect(await rolesOf({ backend: 'scripted' })).toEqual(['acting', 'constant', 'random']);
  const ollama = { host: hostOf(), model: 'small', digest, binary: null };
  expect(await rolesOf({ backend: 'ollama', ...ollama })).toEqual(['acting', 'constant', 'random', 'content-free']);
  await expect(openChoosers({ backend: 'embedded', model: 'none.gguf', library: folder })).rejects.toThrow(
    'node-llama-cpp cannot be loaded',
  );
});
