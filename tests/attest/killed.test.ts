import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { SignerRun } from '../../src/attest/client/run.ts';
import type { RunEvent } from '../../src/attest/client/types.ts';
import { EnvironmentFault } from '../../src/store/fault.ts';
import { randomOf } from '../pcm/fuzz/random.ts';
import { runs } from '../support/thorough.ts';
import { Lab, POLICY, refusalOf } from './lab.ts';
import { type SignerProcess, serveAsProcess } from './process.ts';

const KILLS = runs(50, 2);
/** Of each life: the signer is killed while others are being written. */
const MOST_ANSWERS = 20;

/** Makes calls until the signer is gone, which is told of each answer; gives the ids of those that were acknowledged, by `run_seq`. */
const callUntilGone = async (
  run: SignerRun,
  name: string,
  answered: (count: number) => void,
): Promise<ReadonlyMap<number, string>> => {
  const acknowledged = new Map<number, string>();
  const caller = async (lane: number): Promise<void> => {
    for (let i = 0; ; i++) {
      const call = `${name}-${lane}-${i}`;
      const { run_seq } = await run.call<{ run_seq: number }>('decide', { call, tool: 'ls', args: { i } });
      acknowledged.set(run_seq, call);
      answered(acknowledged.size);
    }
  };
  await Promise.allSettled([0, 1, 2, 3].map(caller));
  return acknowledged;
};

it(`a signer killed ${KILLS} times loses no acknowledged record, and changes none that was read`, async () => {
  let signer!: SignerProcess;
  const lab = await Lab.make({}, POLICY, async (config) => {
    signer = await serveAsProcess(config);
    return signer;
  });
  onTestFinished(() => lab.end());
  const { id } = await lab.run();
  const random = randomOf(7);
  const acknowledged = new Map<number, string>();
  let before: readonly RunEvent[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const run = await (await lab.connect('a')).resume(id);
    const { child } = signer;
    const [gone, most] = [once(child, 'exit'), 1 + random.below(MOST_ANSWERS)];
    const calls = await callUntilGone(run, `k${kill}`, (count) => count >= most && child.kill('SIGKILL'));
    await gone;
    for (const [runSeq, call] of calls) acknowledged.set(runSeq, call);
    await lab.restart();
    const again = await (await lab.client('a')).resume(id);
    const events: RunEvent[] = [];
    for (;;) {
      const page = await again.read({ from: events.length });
      if (page.length === 0) break;
      events.push(...page);
    }
    expect(events.slice(0, before.length)).toEqual(before);
    for (const [runSeq, call] of acknowledged) expect(events[runSeq]?.data.tool_use_id).toBe(call);
    before = events;
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(KILLS);
}, 600_000);

const MADE = ['data/log.key.pem', 'data/log/checkpoint', 'tokens/a', 'data/log/lock', 'data/salts.secret'];

it.each(MADE.slice(0, runs(MADE.length, 2)))(
  'a first start that is killed as soon as there is %s goes on',
  async (name) => {
    const lab = await Lab.make({}, POLICY, async () => ({ vkey: '', close: async () => {} }));
    onTestFinished(() => lab.end());
    const starting = serveAsProcess(lab.path('signer.json'), (child) => {
      const kill = async (): Promise<void> => {
        while (!existsSync(lab.path(name))) await setImmediate();
        child.kill('SIGKILL');
      };
      void kill();
    });
    // One that was faster than the kill serves already, and is killed all the same.
    const started = await starting.catch(() => null);
    if (started !== null && started.child.signalCode === null) await once(started.child, 'exit');
    const signer = await serveAsProcess(lab.path('signer.json'));
    onTestFinished(signer.close);
    const run = await lab.run();
    await run.decide('ls', {});
    expect(await run.read()).toHaveLength(2);
  },
);

it('a disk that refuses is told to whoever runs the signer, once, and to callers as little as they need', async () => {
  const lab = await Lab.start();
  const run = await lab.run();
  mkdirSync(lab.path('data/log/checkpoint.tmp'));
  for (const call of ['one', 'two'])
    expect(await refusalOf(run.decide('ls', {}, { call }))).toBe(
      'unavailable: the signer cannot write its log: nothing was signed; its operator must look at it',
    );
  const faults = lab.bugs.splice(0);
  expect(faults).toEqual([expect.any(EnvironmentFault)]);
  expect(String(faults[0])).toContain(`cannot write the log ${lab.path('data/log')}`);
  rmSync(lab.path('data/log/checkpoint.tmp'), { recursive: true });
  await lab.restart();
  await (await (await lab.client('a')).resume(run.id)).decide('ls', {}, { call: 'three' });
});
