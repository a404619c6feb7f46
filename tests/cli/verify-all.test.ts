import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Summary } from '../../src/fleet/summary.ts';
import { fleetOf, PROFILE, resultsIn, TRUST } from '../fleet/lab.ts';
import { testSigner } from '../support/seal.ts';
import { forensictrace, MAIN, tempFolder, writeAll } from './run.ts';

const own = () => {
  const { profile, trust } = writeAll({ profile: PROFILE, trust: TRUST });
  return ['--trust', trust, '--profile', profile];
};

const alter = (folder: string, name: string): void => {
  const file = join(folder, `${name}.bundle.json`);
  writeFileSync(file, readFileSync(file, 'utf8').replace('Summarise', 'summarise'));
};

describe('forensictrace verify-all', () => {
  it('sums up by verdict, reason and agent, ends with the worst code, and is silent on standard error', async () => {
    const folder = fleetOf('a', 'b', 'c');
    alter(folder, 'b');
    const ran = await forensictrace(['verify-all', folder, ...own()]);
    expect([ran.code, ran.stderr]).toEqual([4, '']);
    expect(ran.stdout).toMatch(/^3 pairs; exit code 4\n/);
    expect(ran.stdout).toMatch(/^INTEGRITY_REFUSED +1$/m);
    expect(ran.stdout).toMatch(/^FORENSICALLY_CONSISTENT +2$/m);
    expect(ran.stdout).toMatch(/^RECORD_ALTERED +1 +\w/m);
    expect(ran.stdout).toMatch(/^agent +pairs +indicated +inconclusive +consistent$/m);
    const { stdout } = await forensictrace(['verify-all', folder, ...own(), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      pairs: 3,
      selected: 3,
      exit_code: 4,
      verdicts: { INTEGRITY_REFUSED: 1 },
    });
  });

  it('selects, and says how much it did not', async () => {
    const folder = fleetOf('a', 'b', 'c');
    alter(folder, 'b');
    writeFileSync(join(folder, 'c.receipt.json'), '{');
    const out = join(tempFolder(), 'some.ndjson');
    const where = [
      '--where-key',
      testSigner().key_id,
      '--where-reason',
      'RECORD_ALTERED',
      '--where-reason',
      'KEY_UNKNOWN',
    ];
    const ran = await forensictrace(['verify-all', folder, ...own(), ...where, '--out', out]);
    expect(ran.code).toBe(4);
    expect(ran.stdout).toMatch(/^3 pairs; 1 selected; exit code 4\n1 pair without a readable receipt: nobody can say/);
    expect(resultsIn(out).map(({ bundle }) => bundle)).toEqual([join(folder, 'b.bundle.json')]);
    const none = await forensictrace(['verify-all', folder, ...own(), '--where-signer', 'nobody']);
    expect([none.code, none.stdout.split('\n')[0]]).toEqual([3, '3 pairs; 0 selected; exit code 3']);
  });

  it('goes on where it was killed, to the same bytes', async () => {
    const folder = fleetOf('a', 'b', 'c', 'd');
    const pairs = ['a', 'b', 'c', 'd'].map(
      (name) => `${join(folder, name)}.bundle.json\t${join(folder, name)}.receipt.json\n`,
    );
    const list = join(tempFolder(), 'pairs.tsv');
    writeFileSync(list, pairs.join('').repeat(50));
    const [out, whole] = [join(tempFolder(), 'results.ndjson'), join(tempFolder(), 'whole.ndjson')];
    const args = ['verify-all', `@${list}`, ...own(), '--jobs', '1', '--json', '--out'];
    const child = spawn(process.execPath, [MAIN, ...args, out], { stdio: 'ignore' });
    while ((statSync(`${out}.part`, { throwIfNoEntry: false })?.size ?? 0) === 0) await sleep(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(out)).toBe(false);
    const [resumed, fresh] = await Promise.all([forensictrace([...args, out]), forensictrace([...args, whole])]);
    expect([resumed.code, fresh.code]).toEqual([0, 0]);
    expect((JSON.parse(resumed.stdout) as Summary).known).toBeGreaterThan(0);
    expect((JSON.parse(fresh.stdout) as Summary).known).toBe(0);
    expect(readFileSync(out).equals(readFileSync(whole))).toBe(true);
    expect(resultsIn(out)).toHaveLength(200);
  });

  it.each<[string, (folder: string) => readonly string[], string]>([
    ['no profile', (folder) => [folder, '--trust', own()[1]!], '--profile is needed'],
    [
      'a count of threads that is none',
      (folder) => [folder, ...own(), '--jobs', '0'],
      '--jobs 0: a whole number from 1',
    ],
    ['an unknown reason', (folder) => [folder, ...own(), '--where-reason', 'NOPE'], 'there is no such reason code'],
    ['an empty folder', () => [tempFolder(), ...own()], 'zero evidence is never a pass'],
    ['a place that is not there', () => ['/nowhere', ...own()], 'there is no folder or file /nowhere'],
    ['a profile that is not there', (folder) => [folder, ...own(), '--profile', '/nowhere'], 'cannot read the profile'],
    ['a bundle as results', (folder) => [folder, ...own(), '--out', join(folder, 'a.bundle.json')], 'holds no results'],
  ])('refuses %s with exit code 2', async (_, args, message) => {
    const folder = fleetOf('a');
    const before = readFileSync(join(folder, 'a.bundle.json'));
    const ran = await forensictrace(['verify-all', ...args(folder)]);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toContain(message);
    expect(readFileSync(join(folder, 'a.bundle.json')).equals(before)).toBe(true);
  });

  it('explains the codes of pairs', async () => {
    const ran = await forensictrace(['explain', 'PAIR_WITHOUT_RECEIPT']);
    expect([ran.code, ran.stdout.split('\n')[0]]).toEqual([0, 'PAIR_WITHOUT_RECEIPT  (read)']);
  });
});
