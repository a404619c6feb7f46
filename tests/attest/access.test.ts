import { describe, expect, it } from 'vitest';
import type { SignerClient } from '../../src/attest/client/client.ts';
import { METHODS } from '../../src/attest/methods/methods.ts';
import type { JsonObject } from '../../src/base/json-value.ts';
import { inSeconds, refusalOf, sharedLab, type Who } from './lab.ts';

const shared = sharedLab();

/** Params of every call that names a run, as its own agent would make it. */
const callsOf = (run: string): Readonly<Record<string, JsonObject>> => ({
  read: { run },
  run_end: { run },
  run_token: { run, ttl_s: 60 },
  decide: { run, call: 'c', tool: 'ls', args: {} },
  complete: { run, call: 'done', ok: true },
  execute: { run, call: 'c', tool: 'Bash', args: { command: 'true' } },
  approval_wait: { run, approval_id: `apr-${'0'.repeat(32)}`, args: {} },
  approval_consume: { run, approval_id: `apr-${'0'.repeat(32)}`, args: {} },
  pcm_sign: { run, body: {} },
  pcm_grant: { run, call: 'c', args: {} },
  pcm_delegate: { run, parent: {}, subject: 'x', caveats: [], expires_at: inSeconds(60), delegable: false },
  pcm_evidence: { run, run_seqs: [0] },
});
const PCM = ['pcm_sign', 'pcm_grant', 'pcm_delegate', 'pcm_evidence'];
const others = (calls: Readonly<Record<string, JsonObject>>, client: SignerClient) =>
  Promise.all(
    Object.entries(calls).map(async ([method, params]) => [method, await refusalOf(client.call(method, params))]),
  );

describe("another's run", () => {
  it('has no call that is left out here', () => {
    const elsewhere = ['status', 'run_begin', 'run_hold', 'observe', 'approvals_list', 'approval_answer'];
    expect([...METHODS.keys()].sort()).toEqual([...Object.keys(callsOf('')), ...elsewhere].sort());
  });

  it('is neither read nor signed for, in the words of a run that is not there', async () => {
    const run = await shared().run('a');
    const b = await shared().client('b');
    for (const id of [run.id, '0'.repeat(32)])
      expect(await others(callsOf(id), b)).toEqual(
        Object.keys(callsOf(id)).map((method) => [method, `forbidden: token:b has no run ${id}`]),
      );
    expect(await run.read()).toHaveLength(1);
  });

  it.each<[Who, string]>([
    ['bot', 'forbidden: token:bot is an agent approver'],
    ['eyes', 'forbidden: token:eyes is an observer'],
    ['kernel', 'forbidden: token:kernel is an observer'],
  ])('gives no pcm call to %s', async (who, text) => {
    const { id } = await shared().run('a');
    const calls = Object.fromEntries(Object.entries(callsOf(id)).filter(([method]) => PCM.includes(method)));
    for (const [, refusal] of await others(calls, await shared().client(who)))
      expect(refusal).toBe(`${text}: pcm calls are for the run's own agent, the identity that registered it`);
  });

  it('is not shared by approvals', async () => {
    const run = await shared().run('a');
    const { approval_id } = await run.call<{ approval_id: string }>('decide', {
      call: 'p',
      tool: 'pay',
      args: { amount: 1 },
    });
    const b = await shared().client('b');
    const own = await b.run('own');
    for (const method of ['approval_wait', 'approval_consume'])
      expect(await refusalOf(own.call(method, { approval_id, args: { amount: 1 } }))).toBe(
        `forbidden: the run ${own.id} has no approval ${approval_id}`,
      );
    expect(await refusalOf(b.answer(approval_id, 'approve'))).toContain('forbidden: token:b has no approval');
    expect(await b.approvals()).toEqual([]);
  });
});

describe('a delegated run token', () => {
  it('reads and reports, and does nothing else', async () => {
    const run = await shared().run('a');
    const run_token = await run.token(60);
    const b = await shared().client('b');
    await b.call('decide', { run: run.id, run_token, call: 'done', tool: 'ls', args: {} });
    await b.call('complete', { run: run.id, run_token, call: 'done', ok: true });
    const { events } = await b.call<{ events: JsonObject[] }>('read', { run: run.id, run_token });
    expect(events).toMatchObject([
      { type: 'run.start' },
      { type: 'policy.decision', source: 'sdk' },
      { type: 'tool.result', source: 'sdk', data: { ok: true } },
    ]);
    for (const method of PCM)
      expect(await refusalOf(b.call(method, { ...callsOf(run.id)[method], run_token }))).toBe(
        "forbidden: token:b holds a delegated run token, which reads and reports: pcm calls are for the run's own agent, the identity that registered it",
      );
    for (const method of ['execute', 'run_token', 'run_end', 'approval_consume'])
      expect(await refusalOf(b.call(method, { ...callsOf(run.id)[method], run_token }))).toContain(
        '/run_token: there is no such member',
      );
  });

  it('is of one run, and of the newest token', async () => {
    const [run, other] = [await shared().run('a'), await shared().run('a')];
    const [old, run_token] = [await run.token(60), await run.token(60)];
    const b = await shared().client('b');
    await b.call('read', { run: run.id, run_token });
    expect(await refusalOf(b.call('read', { run: run.id, run_token: old }))).toBe(
      `forbidden: token:b has no run ${run.id}`,
    );
    expect(await refusalOf(b.call('read', { run: other.id, run_token }))).toBe(
      `forbidden: token:b has no run ${other.id}`,
    );
  });
});

describe('roles', () => {
  it.each<[Who, string, JsonObject, string]>([
    [
      'alice',
      'run_begin',
      { name: 'x' },
      'forbidden: token:alice has the role person: only an identity of the role agent begins runs',
    ],
    [
      'a',
      'observe',
      {},
      'forbidden: token:a has the role agent: effects are reported by an observer, of the role egress or sensor',
    ],
    ['a', 'run_hold', {}, 'forbidden: token:a has the role agent: runs are held and released by an operator'],
    ['a', 'nothing', {}, 'invalid_request: the signer has no call "nothing"'],
    ['a', 'constructor', {}, 'invalid_request: the signer has no call "constructor"'],
    ['a', 'hello', { token: 'x' }, 'invalid_request: the signer has no call "hello"'],
  ])('refuse %s %s', async (who, method, params, text) => {
    expect(await refusalOf((await shared().client(who)).call(method, params))).toBe(text);
  });

  it('let an egress observer report connections alone, and a sensor attempts alone', async () => {
    const { id: run } = await shared().run('a');
    const net = { run, kind: 'net', host: 'x.example', port: 443, connections: 1 };
    const connect = { run, kind: 'connect', host: 'x.example', port: 443, denied: false };
    const [eyes, kernel] = [await shared().client('eyes'), await shared().client('kernel')];
    await eyes.call('observe', net);
    await kernel.call('observe', connect);
    expect(await refusalOf(eyes.call('observe', connect))).toContain('invalid_request: /kind');
    expect(await refusalOf(kernel.call('observe', net))).toContain('invalid_request: /kind');
  });

  it('knows who it is', async () => {
    expect(await (await shared().client('a')).status()).toMatchObject({
      identity: { scheme: 'token', subject: 'a' },
      role: 'agent',
      tenant: 'default',
      log: { origin: 'log.example/agents' },
    });
  });
});
