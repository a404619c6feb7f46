import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { forensictrace } from '../cli/run.ts';
import { type Ended, EXCHANGES, randomOf, startCommand, untilLines } from './kill-lab.ts';
import { type Lab, openLab } from './support.ts';

const PROGRAM = ['node', 'tests/hook/programs/page-reader.mjs'];
const PASSED = 'the pages were read\n';
const ROUNDS = 10;

let lab: Lab;
let profile: string;
/** Bytes of the journal of a run in which nothing fails. */
let whole: number;
beforeAll(async () => {
  lab = await openLab();
  profile = join(lab.folder, 'profile.json');
  const general = JSON.parse(readFileSync('profiles/general.json', 'utf8')) as { readonly asrf: object };
  const asrf = { ...general.asrf, ports: null, allowed_cidrs: ['127.0.0.1/32'] };
  writeFileSync(profile, JSON.stringify({ ...general, profile_id: 'loopback', asrf }));
  expect(execFileSync(PROGRAM[0]!, PROGRAM.slice(1), { encoding: 'utf8' })).toBe(PASSED);
  expect(await captured('whole', PROGRAM).ended).toMatchObject({ code: 0, stdout: PASSED });
  expect(lab.sealed('whole', profile).outcome.verdict).toBe('FORENSICALLY_CONSISTENT');
  whole = statSync(`${lab.stemOf('whole')}.journal`).size;
});

const captured = (incident: string, command: readonly string[], by?: readonly string[]) =>
  startCommand(lab.commandLine(incident, command, [], profile), by && { by });

/** The program has passed as without a capture, and what was captured of it is not consistent. */
const requireHonest = (incident: string, { code, stdout, stderr }: Ended): void => {
  expect([code, stdout], stderr).toEqual([6, PASSED]);
  if (!existsSync(`${lab.stemOf(incident)}.bundle.json`)) return;
  const { outcome, records } = lab.sealed(incident, profile);
  expect(outcome.verdict).toBe('INCONCLUSIVE');
  expect(records.trace_metadata[0]!.gaps.length).toBeGreaterThan(0);
};

test('a recorder that is stopped for a while misses nothing', async () => {
  const log = join(lab.folder, 'stopped.log');
  const running = captured('stopped', ['node', EXCHANGES, log, '40']);
  await untilLines(log, 5, running);
  process.kill(running.pid, 'SIGSTOP');
  await sleep(400);
  process.kill(running.pid, 'SIGCONT');
  expect(await running.ended).toMatchObject({ code: 0, stdout: '40 exchanges passed\n' });
  const { records } = lab.sealed('stopped', profile);
  expect(records.trace_metadata).toMatchObject([{ ended: 'complete' }]);
  expect(records.exchanges.length).toBe(80);
});

const FAULTS = {
  closed: /pieces of observations were lost/,
  unlinked: /could not reach the recorder/,
  removed: /the channel was removed/,
  garbage: /bytes that are no observation/,
  'no observation': /could not be read/,
  'a stranger': /an unknown process/,
  'a process that never ends': /still ran when the capture ended/,
  'a message without end': /left unfinished/,
};
const random = randomOf(4);
const cases = Object.entries(FAULTS).map(
  ([fault, gap]) => [fault, 1 + Math.floor(random() * (ROUNDS - 1)), gap] as const,
);

describe('the channel', () => {
  test.each(cases)('%s, before round %i', async (fault, round, gap) => {
    const incident = `channel-${fault.replaceAll(' ', '-')}`;
    requireHonest(incident, await captured(incident, [...PROGRAM, fault, String(round)]).ended);
    const { records } = lab.sealed(incident, profile);
    expect(records.trace_metadata[0]!.gaps.map(({ what }) => what).join('\n')).toMatch(gap);
  });
});

describe('the disk', () => {
  const parts = Array.from({ length: 5 }, (_, at) => (at + 0.1 + 0.8 * random()) / 5);
  test.each(parts)('full at %d of what it needs', async (part) => {
    const incident = `full-${part}`;
    const by = ['bash', '-c', `ulimit -f ${Math.ceil((part * whole) / 1024)}; exec "$@"`, 'bash'];
    const ended = await captured(incident, PROGRAM, by).ended;
    requireHonest(incident, ended);
    expect(ended.stderr).toMatch(/journal is kept|gap/);
    if (existsSync(`${lab.stemOf(incident)}.bundle.json`)) return;
    const journal = `${lab.stemOf(incident)}.journal`;
    expect(await forensictrace(['recover', journal, '--profile', profile, ...lab.signing])).toMatchObject({ code: 0 });
    expect(lab.sealed(incident, profile).outcome.verdict).toBe('INCONCLUSIVE');
  });
});
