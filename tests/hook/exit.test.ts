import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { forensictrace } from '../cli/run.ts';
import { linesOf, startCommand, untilLines } from './kill-lab.ts';
import { type Lab, openLab } from './support.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});

const killing = (signal: string): readonly string[] => ['bash', '-c', `kill -${signal} $$`];

describe('the exit code of the command is that of the capture', () => {
  test.each([
    ['a command that succeeds', ['true'], 0],
    ['a command that fails', ['bash', '-c', 'exit 7'], 7],
    ['one that SIGTERM ends', killing('TERM'), 128 + 15],
    ['one that SIGKILL ends', killing('KILL'), 128 + 9],
    ['one that SIGABRT ends', killing('ABRT'), 128 + 6],
    [
      'a failure that leaves no whole bundle',
      ['bash', '-c', 'node tests/hook/programs/page-reader.mjs garbage 1; exit 3'],
      3,
    ],
  ] as const)('%s', async (what, command, code) => {
    const incident = what.replaceAll(' ', '-');
    expect(await lab.capture(incident, command)).toMatchObject({ code });
  });
});

describe('a capture that cannot begin ends with 2, before the command starts', () => {
  const unset: Readonly<Record<string, readonly string[]>> = {
    'there is no key': ['--key', '/nowhere/key.pem'],
    'cannot read the profile': ['--profile', '/nowhere/profile.json'],
    READ_SYNTAX: ['--profile', 'README.md'],
    '--body-limit': ['--body-limit', 'much'],
    '--incident': ['--incident', 'two words'],
    '--redact': ['--redact', 'FORENSICTRACE_NO_SUCH_VARIABLE'],
    'cannot read the trusted card': ['--trusted-card', '/nowhere/card.json'],
    'letters, digits': ['--signer', 'two words'],
  };
  test.each(Object.entries(unset))('%s', async (told, options) => {
    const mark = join(lab.folder, 'started');
    const { code, stderr } = await forensictrace(lab.commandLine('unbegun', ['touch', mark], options));
    expect([code, stderr]).toEqual([2, expect.stringContaining(told)]);
    expect(existsSync(mark)).toBe(false);
    expect(existsSync(`${lab.stemOf('unbegun')}.journal`)).toBe(false);
  });

  test('no such command, which leaves the name of the incident free', async () => {
    const { code, stderr } = await forensictrace(lab.commandLine('no-command', ['no-such-command', 'x']));
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot run no-such-command')]);
    expect(await lab.capture('no-command', ['true'])).toMatchObject({ code: 0 });
  });

  test('an incident of that name is there', async () => {
    await lab.capture('twice', ['true']);
    const mark = join(lab.folder, 'started-twice');
    const { code, stderr } = await forensictrace(lab.commandLine('twice', ['touch', mark]));
    expect([code, stderr]).toEqual([2, expect.stringContaining('exists already')]);
    expect(existsSync(mark)).toBe(false);
  });
});

describe('signals', () => {
  /** Starts the program that waits for signals, and waits until it does. */
  const waiting = async (incident: string) => {
    const log = join(lab.folder, `${incident}.log`);
    const command = ['node', 'tests/hook/programs/signals.mjs', log];
    const running = startCommand(lab.commandLine(incident, command));
    await untilLines(log, 1, running);
    return { log, running };
  };
  const requireSealed = (incident: string): void => {
    const { records } = lab.sealed(incident);
    expect(records.trace_metadata).toMatchObject([{ ended: 'complete' }]);
    expect(records.exchanges.length).toBe(2);
  };

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)(
    '%s to the recorder alone is handed on once, and the bundle sealed',
    async (signal) => {
      const { log, running } = await waiting(signal);
      process.kill(running.pid, signal);
      expect(await running.ended).toMatchObject({ code: 5 });
      expect(linesOf(log)).toEqual(['ready', signal]);
      requireSealed(signal);
    },
  );

  test('SIGINT to the whole group ends the program, and the bundle is sealed', async () => {
    const { log, running } = await waiting('group');
    process.kill(-running.pid, 'SIGINT');
    expect(await running.ended).toMatchObject({ code: 5 });
    expect(new Set(linesOf(log))).toEqual(new Set(['ready', 'SIGINT']));
    requireSealed('group');
  });

  test.each([
    ['terminal', []],
    ['terminal-without-input', ['bash', '-c', 'exec "$@" </dev/null', 'bash']],
  ])('Ctrl-C at a %s reaches the program once', async (incident, shell) => {
    const log = join(lab.folder, `${incident}.log`);
    const by = ['python3', 'tests/hook/programs/terminal.py', log, ...shell];
    const command = ['node', 'tests/hook/programs/signals.mjs', log];
    expect(await startCommand(lab.commandLine(incident, command), { by }).ended).toMatchObject({ code: 5 });
    expect(linesOf(log)).toEqual(['ready', 'SIGINT']);
    requireSealed(incident);
  });
});

const LOOK = `
  import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
  const open = (pid) => readdirSync('/proc/' + pid + '/fd').flatMap((fd) => {
    try { return [readlinkSync('/proc/' + pid + '/fd/' + fd)]; } catch { return []; }
  });
  console.log(JSON.stringify({ env: process.env, own: open('self'), recorder: open(process.ppid) }));
`;

test.runIf(process.platform === 'linux')('the command has neither the path of the key nor the key', async () => {
  const program = join(lab.folder, 'look.mjs');
  writeFileSync(program, LOOK);
  const key = join(lab.folder, 'key.pem');
  const env = { SIGNING_KEY: key, SIGN_WITH: `--key=${key}`, KEPT: 'a value' };
  const { stdout } = await lab.capture('look', ['node', program], { env });
  const seen = JSON.parse(stdout) as { env: Record<string, string>; own: string[]; recorder: string[] };
  expect(seen.env.KEPT).toBe('a value');
  expect(JSON.stringify(seen.env)).not.toContain('key.pem');
  expect(seen.own.length).toBeGreaterThan(3);
  expect(seen.recorder).toContain(`${lab.stemOf('look')}.journal`);
  expect([...seen.own, ...seen.recorder].filter((path) => path.includes('key.pem'))).toEqual([]);
  expect(seen.own.filter((path) => path.includes('.journal'))).toEqual([]);
});
