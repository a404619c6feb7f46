import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DISTRUST, evidenceOf, fleetOf, outFile, PROFILE, resultsIn, TRUST, tempFolder, verifyFolder } from './lab.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** A folder that was verified, with the file of its results and their text. */
const verified = async () => {
  const folder = fleetOf(...NAMES);
  const out = outFile();
  await verifyFolder(folder, { out });
  return { folder, out, text: readFileSync(out, 'utf8') };
};

const isTidy = (out: string): boolean => !existsSync(`${out}.part`) && !existsSync(`${out}.known`);

describe('a run that is begun again', () => {
  it.each([0, 1, 100, 0.5, 0.95])(
    'takes over what a killed one left, cut off at %s of its bytes or so',
    async (cut) => {
      const { folder, out, text } = await verified();
      const left = text.slice(0, cut < 1 ? Math.floor(cut * text.length) : cut);
      rmSync(out);
      writeFileSync(`${out}.part`, left);
      const { known } = await verifyFolder(folder, { out });
      expect(known).toBe(left.split('\n').length - 1);
      expect(readFileSync(out, 'utf8')).toBe(text);
      expect(isTidy(out)).toBe(true);
    },
  );

  it('takes over what several killed ones left', async () => {
    const { folder, out, text } = await verified();
    const lines = text.split(/(?<=\n)/);
    rmSync(out);
    writeFileSync(`${out}.known`, `${lines[4]}${lines[1]}{"format":"a2aft.res`);
    writeFileSync(`${out}.part`, lines[0]! + lines[1]!.slice(0, 40));
    const { known } = await verifyFolder(folder, { out });
    expect(known).toBe(2);
    expect(readFileSync(out, 'utf8')).toBe(text);
    expect(isTidy(out)).toBe(true);
  });

  it('verifies what changed, and what is new, and nothing else', async () => {
    const { folder, out } = await verified();
    expect((await verifyFolder(folder, { out })).known).toBe(6);
    const { bundle, receipt } = evidenceOf('incident-9');
    writeFileSync(join(folder, 'c.receipt.json'), receipt);
    writeFileSync(join(folder, '0.bundle.json'), bundle);
    writeFileSync(join(folder, '0.receipt.json'), receipt);
    const summary = await verifyFolder(folder, { out });
    expect([summary.known, summary.pairs, summary.exit_code]).toEqual([5, 7, 4]);
    expect(resultsIn(out).map(({ exit_code }) => exit_code)).toEqual([0, 0, 0, 4, 0, 0, 0]);
  });

  it.each([
    ['trust store', { trust: DISTRUST, profile: { file: 'p.json', bytes: PROFILE } }, 4],
    ['profile', { profile: { file: 'p.json', bytes: Buffer.concat([PROFILE, Buffer.from('\n')]) } }, 0],
  ])('verifies all again under another %s', async (_, by, exit) => {
    const { folder, out } = await verified();
    const summary = await verifyFolder(folder, { out, by: { trust: TRUST, ...by } });
    expect([summary.known, summary.exit_code]).toEqual([0, exit]);
  });

  it('verifies again what another version found', async () => {
    const { folder, out, text } = await verified();
    writeFileSync(
      out,
      text.replaceAll(/"key":"[0-9a-f]/g, (start) => (start.endsWith('0') ? '"key":"1' : '"key":"0')),
    );
    expect((await verifyFolder(folder, { out })).known).toBe(0);
    expect(readFileSync(out, 'utf8')).toBe(text);
  });

  it('takes no result that is none', async () => {
    const { folder, out, text } = await verified();
    const [first, ...others] = text.split(/(?<=\n)/);
    writeFileSync(out, [first!.replace('"edges":', '"edgez":'), 'null\n', '{\n', ...others].join(''));
    expect((await verifyFolder(folder, { out })).known).toBe(5);
    expect(readFileSync(out, 'utf8')).toBe(text);
  });
});

describe('the file of the results', () => {
  it.each(['', '.part', '.known'])('replaces nobody’s file OUT%s', async (ending) => {
    const out = outFile();
    writeFileSync(out + ending, 'my notes\n');
    await expect(verifyFolder(fleetOf('a'), { out })).rejects.toThrow('holds no results of verify-all');
    expect(readFileSync(out + ending, 'utf8')).toBe('my notes\n');
  });

  it('is no folder, and stands where something can be written', async () => {
    await expect(verifyFolder(fleetOf('a'), { out: tempFolder() })).rejects.toThrow('holds no results');
    await expect(verifyFolder(fleetOf('a'), { out: '/nowhere/results.ndjson' })).rejects.toThrow(
      'cannot write the results /nowhere/results.ndjson: no such file or folder',
    );
  });

  it('keeps what was found where the run fails', async () => {
    const folder = fleetOf(...NAMES);
    const out = outFile();
    const progress = (done: number): void => {
      if (done >= 3) throw new Error('the terminal is gone');
    };
    await expect(verifyFolder(folder, { out, progress })).rejects.toThrow('the terminal is gone');
    expect(existsSync(out)).toBe(false);
    expect((await verifyFolder(folder, { out })).known).toBe(3);
  });
});
