import { Command } from 'commander';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainVerify } from '../../src/cli/plain-verify.ts';
import { addVerify } from '../../src/cli/verify-program.ts';

/** What the parser of arguments runs the command with; null where it refuses. */
const parsed = (args: readonly string[]): unknown => {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  addVerify(program);
  const [command] = program.commands;
  let run: unknown = null;
  command!.exitOverride().action((bundle, receipt, profile, options) => {
    run = [bundle, receipt, profile, { ...options }];
  });
  try {
    program.parse(['verify', ...args], { from: 'user' });
  } catch {
    return null;
  }
  return run;
};

it.each([
  [['a', 'b', 'c']],
  [['a', 'b', 'c', '--trust', 't']],
  [['--trust', 't', 'a', '--json', 'b', 'c', '--out', 'o', '--other-profile']],
  [['a', '--incident', 'i', 'b', '--families', 'f', '--settings', 's', 'c']],
])('takes %j as the parser of arguments does', (args) => {
  expect(plainVerify(args)).not.toBeNull();
  expect(plainVerify(args)).toEqual(parsed(args));
});

it.each([
  [''],
  ['a', 'b'],
  ['a', 'b', 'c', 'd'],
  ['a', 'b', '-'],
  ['a', 'b', 'c', '--'],
  ['a', 'b', 'c', '--help'],
  ['a', 'b', 'c', '--nope'],
  ['a', 'b', 'c', '--tru', 't'],
  ['a', 'b', 'c', '--trust'],
  ['a', 'b', 'c', '--trust=t'],
  ['a', 'b', 'c', '--trust', '--json'],
  ['a', 'b', 'c', '--trust', 't', '--trust', 'u'],
  ['a', 'b', 'c', '--json', '--json'],
  ['a', 'b', 'c', '--mode', 'full'],
  ['a', 'b', 'c', '--pcm-schema', 's'],
])('leaves other arguments to it: %s %s %s %s %s %s %s', (...args) => {
  expect(plainVerify(args)).toBeNull();
});

const word = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '', ' ', '__proto__', 'help', 'verify'),
  fc.constantFrom('--trust', '--incident', '--families', '--settings', '--out', '--json', '--other-profile', '--mode'),
  fc.constantFrom('full', '-', '--', '-h', '--trust=a', '--toString', '--pcm-schema'),
);

it('takes no arguments otherwise than the parser does', () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.array(word, { minLength: 3, maxLength: 8 }), (args) => {
      const plain = plainVerify(args);
      if (plain === null) return;
      expect(plain).toEqual(parsed(args));
      taken++;
    }),
    { numRuns: 4000 },
  );
  expect(taken).toBeGreaterThan(20);
});
