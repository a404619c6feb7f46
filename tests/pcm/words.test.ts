import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isClaimablePath, matchPath } from '../../src/pcm/paths.ts';
import { isTestCommand, TEST_RUNNERS } from '../../src/pcm/test-command.ts';
import { TOOL_CLASSES } from '../../src/pcm/tools.ts';
import { canonicalOf, sha256Text } from './lab.ts';

describe('test commands', () => {
  it('there are 42 runners, each a test command by itself and none when it is spelled otherwise', () => {
    expect(TEST_RUNNERS.length).toBe(42);
    expect(TEST_RUNNERS.filter((runner) => !isTestCommand(runner))).toEqual([]);
    expect(
      TEST_RUNNERS.filter(
        (runner) =>
          isTestCommand(runner.toUpperCase()) || isTestCommand(`./${runner}`) || isTestCommand(`CI=1 ${runner}`),
      ),
    ).toEqual([]);
  });

  it.each([
    'pytest -q tests/x.py',
    'pytest -qh',
    'pytest --fixtures',
    'go test -run NONE',
    'go test -exec true',
    'make test SHELL=/bin/true',
    'npm test --script-shell=true',
    'cargo test --no-run',
    'mvn test -DskipTests',
    "pytest 'a b.py'",
    'pytest -k "not slow"',
    'pytest\ttests',
    "'pytest' -q",
    '  pytest  -q  ',
    'pytest -',
    'pytest --',
    "pytest ''",
    'pytest -c',
    'pytest --collect-onlyx',
    'pytest é',
  ])('%j is one', (line) => {
    expect(isTestCommand(line)).toBe(true);
  });

  it.each([
    '',
    'true',
    'echo hi',
    'pytest &',
    'pytest --co',
    'pytest --he',
    'pytest --h',
    'pytest --v',
    'pytest --c',
    'pytest --help',
    'pytest --version',
    'pytest --collect-only',
    'pytest -h',
    'pytest -V',
    "pytest '--help'",
    'pytest "--he"lp',
    './pytest',
    '.venv/bin/pytest',
    'uv run pytest',
    'CI=1 pytest',
    'sudo pytest',
    './gradlew test',
    'npm t',
    'npm run test:unit',
    'npm  run',
    'go vet',
    'python -m',
    'python -mpytest',
    "pytest 'x",
    'pytest "x',
    'pytest\nrm',
    'pytest\r',
    'pytest\u0000',
    'pytest\u007f',
    ...Array.from(';&|()<>$`\\#{}*?[]', (character) => `pytest a${character}b`),
    ...Array.from(';&|$`*?', (character) => `pytest 'a${character}b'`),
  ])('%j is none', (line) => {
    expect(isTestCommand(line)).toBe(false);
  });
});

describe('paths', () => {
  it.each([
    ['/repo/refund.py', '/repo//./refund.py', 'same'],
    ['/repo/refund.py', '/repo/refund.py/', 'same'],
    ['/repo\\refund.py', '/repo\\refund.py', 'same'],
    ['/repo/refund.py', '/repo\\refund.py', 'other'],
    ['/repo/refund.py', '/Repo/refund.py', 'other'],
    ['/repo/refund.py', 'C:/repo/refund.py', 'other'],
    ['/repo/refund.py', 'repo/refund.py', 'cannot be told'],
    ['/repo/refund.py', './refund.py', 'cannot be told'],
    ['/repo/refund.py', 'x/refund.py', 'other'],
    ['/repo/refund.py', '../repo/refund.py', 'cannot be told'],
    ['/repo/refund.py', '/x/../repo/refund.py', 'cannot be told'],
    ['/repo/refund.py', '/x/../other.py', 'other'],
    ['/repo/refund.py', '/a/b/../../c/repo/refund.py', 'other'],
    ['C:\\repo\\refund.py', 'C:\\repo\\refund.py', 'same'],
    ['C:/repo/refund.py', 'C:/repo/refund.py', 'same'],
    ['C:\\repo\\refund.py', 'C:/repo/refund.py', 'cannot be told'],
    ['C:\\repo\\refund.py', 'C:\\repo\\.\\refund.py', 'cannot be told'],
    ['C:\\repo\\refund.py', 'c:\\repo\\refund.py', 'other'],
    ['C:\\repo\\refund.py', 'C:\\repo\\other.py', 'other'],
    ['C:\\repo\\refund.py', '\\repo\\refund.py', 'cannot be told'],
    ['C:\\repo\\refund.py', '/repo/refund.py', 'cannot be told'],
    ['C:\\repo\\refund.py', 'C:refund.py', 'cannot be told'],
    ['C:\\repo\\refund.py', 'D:refund.py', 'other'],
    ['C:\\repo\\refund.py', 'refund.py', 'cannot be told'],
    ['C:\\repo\\refund.py', 'C:\\x\\..\\repo\\refund.py', 'cannot be told'],
    ['C:\\repo\\refund.py', '\\\\server\\share\\refund.py', 'other'],
  ])('claimed %s, called %s: %s', (claimed, call, expected) => {
    expect(isClaimablePath(claimed)).toBe(true);
    expect(matchPath(claimed, call)).toBe(expected);
  });

  it.each([
    'repo/refund.py',
    '\\repo\\refund.py',
    'C:refund.py',
    '\\\\server\\share\\refund.py',
    '/repo/../refund.py',
    'C:\\repo\\..\\x',
    'C:/a/../x',
    '',
  ])('%s is no path to claim', (path) => {
    expect(isClaimablePath(path)).toBe(false);
  });

  it('a backslash and two dots are one name on POSIX', () => {
    expect(isClaimablePath('/repo\\..\\x')).toBe(true);
  });
});

it('places 54 tools, as data with one hash', () => {
  const table = Object.fromEntries(TOOL_CLASSES);
  expect(TOOL_CLASSES.size).toBe(54);
  expect(sha256Text(canonicalOf(table))).toBe(
    'sha256:6b4f3c0fc6bdb481048d872b54f76d12e051500239138d0645009ea9542921fb',
  );
});

it('docs/PCM.md tells the runners and the tools as the data does', () => {
  const page = readFileSync('docs/PCM.md', 'utf8').replace(/\s+/g, ' ');
  const codes = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
  expect(codes(/begin with one of (.+?), exactly;/.exec(page)![1]!)).toEqual(TEST_RUNNERS);
  const table = /## 14\..+?## 15\./.exec(page)![0];
  const rows = [...table.matchAll(/\| `(\w+)` \| ([^|]+) \|/g)].flatMap(([, placed, tools]) =>
    codes(tools!).map((tool) => [tool, placed]),
  );
  expect(rows).toEqual([...TOOL_CLASSES]);
});
