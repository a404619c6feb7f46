import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { forensictrace } from '../cli/run.ts';
import { bundlesOf, type Desk, openDesk, run, verdictOf, vitest } from './support.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});

test('without a key no test starts, and the message says how to make one', async () => {
  const out = join(desk.folder, 'without-a-key');
  const env = { ...desk.env, KEY: join(desk.folder, 'missing.pem'), OUT: out };
  const { code, stdout, stderr } = await run(vitest(), env);
  expect(code).toBe(1);
  expect(stderr).toMatch(/there is no key at .*missing\.pem/);
  expect(stderr).toContain('forensictrace keys generate');
  expect(stdout).not.toContain('an allowed page');
  expect(existsSync(out)).toBe(false);
});

test('under capture --per-test its recorder is used, and vitest starts none', async () => {
  const { KEY: _, ...env } = desk.env;
  const out = env.OUT;
  const command = vitest('pair.test.mjs', '-t', 'page');
  const { code, stdout, stderr } = await forensictrace(
    ['capture', '--per-test', '--incident', 'build-77', ...desk.options, '--', ...command],
    { ...env, NO_COLOR: '1' },
  );
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('pair.test.mjs-an-allowed-page') });
  expect(readdirSync(out)).toEqual(['build-77']);
  const moved = bundlesOf(out)('pair.test.mjs-a-page-that-moved');
  expect(stdout + stderr).toContain(`evidence: ${moved.bundle}`);
  expect(verdictOf(moved, desk)).toBe('FORENSICALLY_INDICATED');
  expect(verdictOf(bundlesOf(out)('pair.test.mjs-an-allowed-page'), desk)).toBe('FORENSICALLY_CONSISTENT');
}, 120_000);

test('capture --per-test of a command that tells no test is 6, and says what to do', async () => {
  const command = [process.execPath, '-e', ''];
  const captured = await forensictrace([
    'capture',
    '--per-test',
    ...desk.options,
    '--incident',
    'none',
    '--',
    ...command,
  ]);
  expect(captured).toMatchObject({ code: 6, stderr: expect.stringContaining('no test told its name') });
});
