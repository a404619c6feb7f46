import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Lab, openLab } from './support.ts';
import { twice } from './twice.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});

test('a program does not feel the hook: bodies of iterators, sockets that connect again, targets of events', async () => {
  const { records, stderr } = await twice(lab, 'corners', ['tests/hook/programs/corners.mjs']);
  expect(records.trace_metadata[0]).toMatchObject({ ended: 'complete', gaps: [] });
  expect(stderr).not.toContain('Warning');
});

test('a program of CommonJS is loaded as such: of any file type, its ticks before its promises, its errors as they are thrown', async () => {
  const program = join(lab.folder, 'program.es6');
  const text = `
    const steps = [];
    process.on('uncaughtException', ({ message }, origin) => steps.push([message, origin]));
    process.nextTick(() => steps.push(['tick']));
    Promise.resolve().then(() => steps.push(['promise']));
    setTimeout(() => console.log(JSON.stringify({ steps, main: [[require.main === module]] })), 1);
    throw new Error('thrown');`;
  writeFileSync(program, text);
  const { transcript } = await twice(lab, 'common', [program]);
  expect(transcript).toEqual({
    steps: [['thrown', 'uncaughtException'], ['tick'], ['promise']],
    main: [[true]],
  });
});

test('a program that is started through a link, as those of node_modules/.bin, is loaded from where it is, and follows links as ever', async () => {
  const [there, bin] = [join(lab.folder, 'linked'), join(lab.folder, 'linked', 'bin')];
  mkdirSync(bin, { recursive: true });
  symlinkSync('link', join(bin, 'link-to-link'));
  symlinkSync('../beside.cjs', join(bin, 'link'));
  writeFileSync(join(there, 'beside.cjs'), '');
  const told = `console.log(JSON.stringify({ led: [[realpathSync(${JSON.stringify(join(bin, 'link-to-link'))})]] }));`;
  writeFileSync(
    join(there, 'common.cjs'),
    `require('./beside.cjs'); const { realpathSync } = require('node:fs'); ${told}`,
  );
  writeFileSync(join(there, 'module.mjs'), `import './beside.cjs'; import { realpathSync } from 'node:fs'; ${told}`);
  for (const program of ['common.cjs', 'module.mjs']) {
    symlinkSync(`../${program}`, join(bin, program));
    await twice(lab, program, [join(bin, program)]);
  }
});
