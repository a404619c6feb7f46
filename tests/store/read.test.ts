import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { EnvironmentFault } from '../../src/store/fault.ts';
import { readInput } from '../../src/store/read.ts';

const folder = mkdtempSync(join(tmpdir(), 'forensictrace-read-'));
afterAll(() => rmSync(folder, { recursive: true }));
const place = (name: string): string => join(folder, name);

it('reads a file, and refuses a named pipe at once, by another name too', () => {
  writeFileSync(place('file'), 'bytes');
  execFileSync('mkfifo', [place('pipe')]);
  symlinkSync(place('pipe'), place('link'));
  expect(Buffer.from(readInput(place('file'), 'bundle')).toString()).toBe('bytes');
  for (const name of ['pipe', 'link']) {
    expect(() => readInput(place(name), 'bundle')).toThrow(EnvironmentFault);
    expect(() => readInput(place(name), 'bundle')).toThrow(/^the bundle .* is a named pipe/);
  }
});

it('names what is not there, and what is a folder', () => {
  expect(() => readInput(place('none'), 'receipt')).toThrow(/cannot read the receipt .*none/);
  expect(() => readInput(folder, 'receipt')).toThrow(/cannot read the receipt/);
});

it('reads standard input, which has its writer', () => {
  const program = `import { readInput } from ${JSON.stringify(new URL('../../src/store/read.ts', import.meta.url).href)};
process.stdout.write(readInput('/dev/stdin', 'bundle'));`;
  writeFileSync(place('program.mts'), program);
  const loader = new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href;
  const piped = 'printf "from a pipe" | "$0" --import "$1" "$2"';
  const read = execFileSync('sh', ['-c', piped, process.execPath, loader, place('program.mts')]);
  expect(read.toString()).toBe('from a pipe');
});
