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
