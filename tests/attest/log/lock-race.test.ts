import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { newFolder } from './lab.ts';
import { open } from './signer.ts';

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return { ...real, readdir: vi.fn(real.readdir) };
});

/** What a signer sees that was held up between its look and its taking: the folder as it was. */
const lookedAt = (...names: readonly string[]): void => {
  vi.mocked(readdir).mockResolvedValueOnce(names as never);
};

it('lets a signer that looked long ago withdraw from a number below the one that is held', async () => {
  const folder = newFolder();
  for (let i = 0; i < 3; i++) await (await open(folder)).close();
  const log = await open(folder);
  const held = readdirSync(join(folder, 'lock'));
  expect(held).toEqual(['4']);
  for (const seen of [[], ['1'], ['2']]) {
    lookedAt(...seen);
    await expect(open(folder)).rejects.toThrow(/another signer has the log/);
    expect(readdirSync(join(folder, 'lock'))).toEqual(held);
  }
  lookedAt('3');
  await expect(open(folder)).rejects.toThrow(/another signer has the log/);
  await log.close();
});
