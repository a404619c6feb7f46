import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignerRun } from '../../src/attest/client/run.ts';
import type { JsonObject } from '../../src/base/json-value.ts';
import { POLICY, refusalOf, sharedLab } from './lab.ts';
import { serveAsProcess } from './process.ts';

const work = mkdtempSync(join(tmpdir(), 'ft-work-'));
mkdirSync(join(work, 'src'));
symlinkSync(resolve('node_modules'), join(work, 'node_modules'));
const suite = (sum: number) => `import { expect, it } from 'vitest';\nit('adds', () => expect(40 + 2).toBe(${sum}));\n`;
writeFileSync(join(work, 'good.test.mjs'), suite(42));
writeFileSync(join(work, 'bad.test.mjs'), suite(43));
afterAll(() => rmSync(work, { recursive: true }));

const site = createServer((request, response) => {
  response.statusCode = request.url === '/order/81' ? 200 : 404;
  response.end('an order');
});
beforeAll(() => new Promise<void>((done) => void site.listen(0, '127.0.0.1', done)));
afterAll(() => void site.close());

const shared = sharedLab(
  {
    actions: [
      {
        does: 'shell',
        name: 'Bash',
        cwd: work,
        run_as: 'signer',
        env: { PATH: `${resolve('node_modules/.bin')}:${process.env.PATH}` },
      },
      { does: 'http', name: 'WebFetch', hosts: ['127.0.0.1'] },
      { does: 'write', name: 'Write', root: join(work, 'src') },
    ],
  },
  POLICY,
  (config) => serveAsProcess(config),
);
const url = (path: string) => `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`;
const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** What B says of a claim for which the executor made the call. */
const attested = async (type: string, claim: JsonObject, tool: string, args: JsonObject) => {
  const run = await shared().run();
  const { runSeqs } = await run.execute(tool, args);
  const evidence = await run.evidence(runSeqs, { args: { [runSeqs[0]]: args } });
  return shared().claim(run, { type, args: claim, evidence });
};

/** The same when the agent says so itself, of a call that it says it made. */
const told = async (type: string, claim: JsonObject, tool: string, args: JsonObject) => {
  const run = await shared().run();
  await run.complete(await run.decide(tool, args), true);
  return shared().claim(run, { type, args: claim, evidence: await run.evidence([1, 2], { args: { 1: args } }) });
};

describe('a real test run', () => {
  const command = 'vitest run good.test.mjs';
  it('proves tests_passed', async () => {
    expect(await attested('tests_passed', { suite: command }, 'Bash', { command })).toEqual([
      'proven',
      'PCM_CLAIM_PROVEN',
    ]);
  });
  it('that failed proves nothing', async () => {
    const bad = 'vitest run bad.test.mjs';
    expect(await attested('tests_passed', { suite: bad }, 'Bash', { command: bad })).toEqual([
      'failed',
      'PCM_CLAIM_NOT_SAID',
    ]);
  });
  it('that failed does not pass by an edited record', async () => {
    const bad = { command: 'false' };
    const run = await shared().run();
    const { runSeqs } = await run.execute('Bash', bad);
    const { checkpoint, records } = await run.evidence(runSeqs, { args: { [runSeqs[0]]: bad } });
    const [decision, result] = [records[0]!, structuredClone(records[1]!)];
    result.event.data.ok = true;
    const claim = {
      type: 'tests_passed',
      args: { suite: 'pytest' },
      evidence: { checkpoint, records: [decision, result] },
    };
    expect(await shared().claim(run, claim)).toEqual(['failed', 'PCM_EVIDENCE_HASH']);
  });
  it('that only the agent reports is its word', async () => {
    expect(await told('tests_passed', { suite: command }, 'Bash', { command })).toEqual([
      'unproven',
      'PCM_CLAIM_AGENT_WORD',
    ]);
  });
  it('of another command proves nothing', async () => {
    expect(await attested('tests_passed', { suite: command }, 'Bash', { command: 'true' })).toEqual([
      'failed',
      'PCM_CLAIM_NOT_SAID',
    ]);
  });
});

describe('a real fetch', () => {
  const claim = { host: '127.0.0.1' };
  it('proves reached_host', async () => {
    expect(await attested('reached_host', claim, 'WebFetch', { url: url('/order/81') })).toEqual([
      'proven',
      'PCM_CLAIM_PROVEN',
    ]);
  });
  it('that was answered with 404 proves nothing', async () => {
    expect(await attested('reached_host', claim, 'WebFetch', { url: url('/nothing') })).toEqual([
      'failed',
      'PCM_CLAIM_NOT_SAID',
    ]);
  });
  it('that only the agent reports is its word', async () => {
    expect(await told('reached_host', { host: 'bank.example' }, 'WebFetch', { url: 'https://bank.example/' })).toEqual([
      'unproven',
      'PCM_CLAIM_AGENT_WORD',
    ]);
  });
  it('of one host proves no other', async () => {
    expect(await attested('reached_host', { host: 'bank.example' }, 'WebFetch', { url: url('/order/81') })).toEqual([
      'failed',
      'PCM_CLAIM_NOT_SAID',
    ]);
  });
});

describe('a real write', () => {
  const path = join(work, 'src', 'refund.py');
  const args = { file_path: path, content: 'print("£")\n' };
  it('proves file_written', async () => {
    const claim = { path, digest: sha256(args.content) };
    expect(await attested('file_written', claim, 'Write', args)).toEqual(['proven', 'PCM_CLAIM_PROVEN']);
    expect(sha256(readFileSync(path, 'utf8'))).toBe(claim.digest);
  });
  it('of other bytes proves nothing', async () => {
    expect(await attested('file_written', { path, digest: sha256('other') }, 'Write', args)).toEqual([
      'failed',
      'PCM_CLAIM_NOT_SAID',
    ]);
  });
  it('that only the agent reports is its word', async () => {
    expect(await told('file_written', { path, digest: sha256(args.content) }, 'Write', args)).toEqual([
      'unproven',
      'PCM_CLAIM_AGENT_WORD',
    ]);
  });
  it('that failed proves nothing', async () => {
    const nowhere = { ...args, file_path: join(work, 'src/none/refund.py') };
    const claim = { path: nowhere.file_path, digest: sha256(args.content) };
    expect(await attested('file_written', claim, 'Write', nowhere)).toEqual(['failed', 'PCM_CLAIM_NOT_SAID']);
  });
});

describe("a person's answer", () => {
  const args = { amount: 5 };
  const paid = async (run: SignerRun, who: 'alice' | 'bot' | 'nobody' = 'alice') => {
    const deciding = run.decide('pay', args, { call: 'pay-1' });
    await Promise.all([deciding, shared().answer(who, run)]);
    return run.evidence([1, 2, 3]);
  };
  const claim = { person: 'alice', call: 'pay-1' };
  it('proves approved_by', async () => {
    const run = await shared().run();
    const evidence = await paid(run);
    expect(await shared().claim(run, { type: 'approved_by', args: claim, evidence })).toEqual([
      'proven',
      'PCM_CLAIM_PROVEN',
    ]);
  });
  it.each(['bot', 'nobody'] as const)('is not what %s says', async (who) => {
    const run = await shared().run();
    const evidence = await paid(run, who);
    expect(await shared().claim(run, { type: 'approved_by', args: claim, evidence })).toEqual([
      'failed',
      'PCM_APPROVAL_NONE',
    ]);
  });
  it('to one call is none to another', async () => {
    const run = await shared().run();
    const evidence = await paid(run);
    expect(await shared().claim(run, { type: 'approved_by', args: { ...claim, call: 'pay-2' }, evidence })).toEqual([
      'failed',
      'PCM_APPROVAL_NONE',
    ]);
  });
  it('of no is no approval', async () => {
    const run = await shared().run();
    const [refusal] = await Promise.all([
      refusalOf(run.decide('pay', args, { call: 'pay-1' })),
      shared().answer('alice', run, 'reject'),
    ]);
    expect(refusal).toContain('was not given: reject');
    const evidence = await run.evidence([1, 2, 3]);
    expect(await shared().claim(run, { type: 'approved_by', args: claim, evidence })).toEqual([
      'failed',
      'PCM_APPROVAL_NONE',
    ]);
  });
});

describe('an observer', () => {
  const said = async (
    who: 'eyes' | 'kernel',
    effect: Parameters<Awaited<ReturnType<ReturnType<typeof shared>['client']>>['observe']>[1],
  ) => {
    const run = await shared().run();
    await (await shared().client(who)).observe(run.id, effect);
    return shared().claim(run, {
      type: 'reached_host',
      args: { host: 'api.example.com' },
      evidence: await run.evidence([1]),
    });
  };
  const at = { host: 'api.example.com', port: 443 };
  it.each([
    [
      'a connection that opened',
      () => said('eyes', { kind: 'net', ...at, connections: 2 }),
      'proven',
      'PCM_CLAIM_PROVEN',
    ],
    [
      'no connection',
      () => said('eyes', { kind: 'net', ...at, connections: 0 }),
      'unproven',
      'PCM_CLAIM_NO_CONNECTION',
    ],
    ['an attempt', () => said('kernel', { kind: 'connect', ...at, denied: false }), 'unproven', 'PCM_CLAIM_ATTEMPT'],
    [
      'a denied attempt',
      () => said('kernel', { kind: 'connect', ...at, denied: true }),
      'failed',
      'PCM_CLAIM_NOT_SAID',
    ],
  ])('that saw %s', async (_, saying, result, reason) => {
    expect(await saying()).toEqual([result, reason]);
  });
});
