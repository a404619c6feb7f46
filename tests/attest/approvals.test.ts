import { describe, expect, it } from 'vitest';
import type { SignerRun } from '../../src/attest/client/run.ts';
import { Quota } from '../../src/attest/quota.ts';
import { Lab, POLICY, REF, refusalOf, sharedLab, type Who } from './lab.ts';

const shared = sharedLab();
const ask = async (run: SignerRun, call = 'p') =>
  (await run.call<{ approval_id: string }>('decide', { call, tool: 'pay', args: { amount: 1 } })).approval_id;
const approvalsOf = async (run: SignerRun) =>
  (await run.read()).filter(({ type }) => type === 'approval').map(({ data }) => data);

describe('an approval', () => {
  it('says who gave it, and has one answer', async () => {
    const run = await shared().run();
    const id = await ask(run);
    const alice = await shared().client('alice');
    await alice.answer(id, 'approve');
    expect(await refusalOf(alice.answer(id, 'reject'))).toBe(
      `invalid_request: the approval ${id} has its answer already: approve`,
    );
    expect(await approvalsOf(run)).toEqual([
      {
        tool_use_id: 'p',
        approval_id: id,
        decision: 'approve',
        approver: 'token:alice',
        approver_identity: { scheme: 'token', subject: 'alice', attested: true },
        channel: 'rpc',
        self_approved: false,
        person: 'alice',
      },
    ]);
  });

  it('has one answer of 20 that come together', async () => {
    const run = await shared().run();
    const id = await ask(run);
    const clients = await Promise.all((['alice', 'nobody'] as const).map((who) => shared().client(who)));
    const answering = Array.from({ length: 20 }, (_, i) =>
      clients[i % 2]!.answer(id, i % 3 === 0 ? 'reject' : 'approve'),
    );
    expect((await Promise.allSettled(answering)).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await approvalsOf(run)).toHaveLength(1);
  });

  it('of the agent itself is refused and told, and another still answers', async () => {
    const run = await shared().run();
    const id = await ask(run);
    expect(await refusalOf((await shared().client('a')).answer(id, 'approve'))).toBe(
      `forbidden: token:a is the run's own agent: another approver must answer ${id}`,
    );
    await shared().answer('alice', run);
    expect(
      (await approvalsOf(run)).map(({ decision, approver, self_approved }) => [decision, approver, self_approved]),
    ).toEqual([
      ['self_approval_refused', 'token:a', true],
      ['approve', 'token:alice', false],
    ]);
  });

  it('of an agent says that it is an agent’s', async () => {
    const run = await shared().run();
    await ask(run);
    await shared().answer('bot', run);
    expect(await approvalsOf(run)).toMatchObject([
      { approver: 'token:bot', approver_kind: 'agent', decision: 'approve' },
    ]);
  });

  it.each<Who>(['b', 'eyes', 'kernel', 'ops'])('is not given by %s, who is no approver', async (who) => {
    const id = await ask(await shared().run());
    const client = await shared().client(who);
    expect(await client.approvals()).toEqual([]);
    expect(await refusalOf(client.answer(id, 'approve'))).toBe(
      `forbidden: token:${who} has no approval ${id} to answer: approvals.approvers of the configuration says who answers`,
    );
  });

  it('is consumed once, with its args, by its agent', async () => {
    const run = await shared().run();
    const approval_id = await ask(run);
    const consume = (args: object) => run.call('approval_consume', { approval_id, args: args as never });
    expect(await refusalOf(consume({ amount: 1 }))).toBe(
      `forbidden: the approval ${approval_id} was not given (no answer yet)`,
    );
    await shared().answer('alice', run);
    expect(await refusalOf(consume({ amount: 2 }))).toContain(
      'these are not the args that the call p was decided with',
    );
    await consume({ amount: 1 });
    expect(await refusalOf(consume({ amount: 1 }))).toBe(
      `forbidden: the approval ${approval_id} was consumed already: ask again for another call`,
    );
  });

  it('is waited for by 64 calls of an agent at most', async () => {
    const lab = await Lab.start();
    const [run, other] = [await lab.run(), await lab.run()];
    await Promise.all(Array.from({ length: 64 }, (_, i) => ask(run, `p${i}`)));
    expect(await refusalOf(ask(other, 'more'))).toBe(
      'invalid_request: 64 calls of token:a wait for an answer: wait for one',
    );
    await ask(await lab.run('b'));
    await lab.answer('alice', run, 'reject');
    await ask(other, 'more');
  });

  it('times out, and is then neither listed nor given', async () => {
    const lab = await Lab.start({ approvals: { approvers: ['token:alice'], timeout_s: 1 } });
    const run = await lab.run();
    const id = await ask(run);
    const alice = await lab.client('alice');
    while ((await alice.approvals()).length > 0);
    expect(await refusalOf(alice.answer(id, 'approve'))).toBe(
      `invalid_request: the approval ${id} has its answer already: timeout`,
    );
    expect(await approvalsOf(run)).toMatchObject([{ decision: 'timeout', approver: 'signer' }]);
  });

  it('is given by anyone of the tenant where no approver is named, and by nobody else', async () => {
    const lab = await Lab.start({
      approvals: undefined,
      identities: ['a', 'b', 'alice'].map((name) => ({
        name,
        role: name === 'alice' ? 'person' : 'agent',
        token_file: `tokens/${name}`,
        tenant: name === 'b' ? 'other' : 'default',
      })),
    });
    const run = await lab.run();
    const id = await ask(run);
    expect(await (await lab.client('b')).approvals()).toEqual([]);
    expect(await refusalOf((await lab.client('b')).answer(id, 'approve'))).toBe(
      `forbidden: token:b has no approval ${id} to answer`,
    );
    await lab.answer('alice', run);
    expect(await approvalsOf(run)).toMatchObject([{ approver: 'token:alice' }]);
    expect((await approvalsOf(run))[0]).not.toHaveProperty('person');
  });
});

describe('an operator', () => {
  it('holds a run: nothing is signed, calls and evidence go on', async () => {
    const run = await shared().run();
    const ops = await shared().client('ops');
    await ops.hold(run.id, 'held');
    expect(await refusalOf(run.send('token:b', REF, {}))).toBe(
      `forbidden: the run ${run.id} is held: the signer signs nothing for it until an operator releases it`,
    );
    await run.complete(await run.decide('ls', {}), true);
    expect((await run.evidence([0, 1])).records).toHaveLength(2);
    expect(await refusalOf(ops.hold(run.id, 'held'))).toBe(`invalid_request: the run ${run.id} is held already`);
    await ops.hold(run.id, 'released');
    await run.send('token:b', REF, {});
    expect((await run.read()).filter(({ type }) => type === 'run.hold').map(({ data }) => data)).toEqual([
      { state: 'held', by: 'token:ops' },
      { state: 'released', by: 'token:ops' },
    ]);
  });

  it('quarantines a run: no call of it is taken, and it is still read', async () => {
    const run = await shared().run();
    await run.decide('ls', {}, { call: 'c' });
    const approval_id = await ask(run);
    await shared().answer('alice', run);
    await (await shared().client('ops')).hold(run.id, 'quarantined');
    const text = `forbidden: the run ${run.id} is quarantined: the signer takes no call of it until an operator releases it`;
    for (const work of [
      run.decide('ls', {}),
      run.complete('c', true),
      run.execute('Bash', { command: 'true' }),
      run.call('approval_consume', { approval_id, args: { amount: 1 } }),
    ])
      expect(await refusalOf(work)).toBe(text);
    expect((await run.evidence([0])).records).toHaveLength(1);
  });

  it('knows no run of another tenant', async () => {
    const id = '0'.repeat(32);
    expect(await refusalOf((await shared().client('ops')).hold(id, 'held'))).toBe(
      `forbidden: the tenant default has no run ${id}`,
    );
  });
});

describe('the event quota', () => {
  it('counts what causes events and each pcm call, of one identity', async () => {
    const lab = await Lab.start({ event_quota: { events: 4, window_s: 3600 } });
    const run = await lab.run();
    await run.decide('ls', {});
    await run.evidence([0]);
    await refusalOf(run.call('pcm_grant', { call: 'none', args: {} }));
    const text =
      'quota_exceeded: token:a has used up its event quota of 4 in 3600 s: wait, or ask the operator for a larger event_quota';
    for (const work of [
      run.evidence([0]),
      run.send('token:b', REF, {}),
      run.call('pcm_grant', { call: 'none', args: {} }),
      run.delegate({}, { subject: 'x', expiresAt: '' }),
      run.decide('ls', {}),
    ])
      expect(await refusalOf(work)).toBe(text);
    expect(await run.read()).toHaveLength(2);
    await lab.run('b');
  });

  it('begins again with its window, and is of one identity', () => {
    let ms = 0;
    const quota = new Quota({ events: 2, window_s: 10 }, () => ms);
    const taken = (who: string) => {
      try {
        quota.take(who);
        return true;
      } catch {
        return false;
      }
    };
    const at = (time: number, who = 'a') => {
      ms = time;
      return taken(who);
    };
    expect([at(0), at(9_999), at(9_999), at(9_999, 'b')]).toEqual([true, true, false, true]);
    expect([at(10_000), at(19_999), at(19_999), at(5_000)]).toEqual([true, true, false, true]);
  });
});

it('evidence is of records that the run has, each once', async () => {
  const run = await shared().run();
  expect(await refusalOf(run.evidence([1]))).toBe('invalid_request: the run has 1 records, and none with run_seq 1');
  expect(await refusalOf(run.evidence([0, 0]))).toBe('invalid_request: /run_seqs: each record once');
  expect(await refusalOf(run.evidence([]))).toContain('invalid_request: /run_seqs');
  expect(POLICY.ask).toHaveLength(2);
});
