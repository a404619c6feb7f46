import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { newFolder } from './lab.ts';
import { hashOf, vkey } from './reading.ts';
import { fill, open } from './signer.ts';

/** Without a cache, Go compiles its own network library first. */
const BUILD_TIMEOUT = 600_000;

let built: string;
let reader: string;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Shows a log to the Go program (tests/interop/tlog-go), after a change to what we say of it; returns what it prints. */
const read = (folder: string, said: object): { status: number | null; stdout: string; stderr: string } => {
  const { status, stdout, stderr } = spawnSync(reader, [folder, vkey], {
    input: JSON.stringify(said),
    encoding: 'utf8',
  });
  return {
    status,
    stdout,
    stderr: stderr
      .split('\n')
      .filter((line) => line !== '' && !/^[IWE]\d{4} /.test(line))
      .join('\n'),
  };
};

const suite = (): void => {
  beforeAll(() => {
    built = mkdtempSync(join(tmpdir(), 'a2aft-go-'));
    reader = join(built, 'tlog');
    const build = spawnSync('go', ['build', '-o', reader, '.'], { cwd: 'tests/interop/tlog-go', encoding: 'utf8' });
    expect([build.status, build.stderr]).toEqual([0, '']);
  }, BUILD_TIMEOUT);
  afterAll(() => rmSync(built, { recursive: true, force: true }));

  /** A log that grew in batches of these sizes, and what we say of it. */
  const grown = async (batches: readonly number[]) => {
    const folder = newFolder();
    const log = await open(folder);
    const earlier: string[] = [];
    for (const batch of batches) {
      earlier.push(log.checkpoint());
      await fill(log, batch);
    }
    const indices = Array.from({ length: log.size }, (_, index) => index);
    const records = indices.map((index) => Buffer.from(hashOf(log.record(index))).toString('hex'));
    const proofs = indices.map((index) => log.proof(index).map(base64));
    await log.close();
    return { folder, said: { records, proofs, earlier } };
  };

  it.each([[[1]], [[1, 1, 1, 252]], [[256]], [[200, 57]], [[100, 411, 1, 88]]])(
    'verifies tiles, bundles, proofs and checkpoints of a log that grew by %j',
    async (batches) => {
      const { folder, said } = await grown(batches);
      const { stdout, stderr } = read(folder, said);
      const size = said.records.length;
      expect([stderr, stdout]).toEqual([
        '',
        `${size} entries, ${size} proofs, ${batches.length} earlier checkpoints, fsck\n`,
      ]);
    },
  );

  it('finds a proof, a checkpoint, a tile and a bundle that are not of the log', async () => {
    const { folder, said } = await grown([256, 44]);
    const { proofs, earlier } = said;
    expect(read(folder, { ...said, proofs: [proofs[1], ...proofs.slice(1)] }).stderr).toMatch(/our proof of 0/);
    const other = await grown([1, 1]);
    expect(read(folder, { ...said, earlier: [earlier[0], other.said.earlier[1]] }).status).toBe(0);
    const log = await open(newFolder());
    await log.append(Buffer.from('{}'));
    expect(read(folder, { ...said, earlier: [log.checkpoint()] }).stderr).toMatch(/size 1 is no prefix/);
    await log.close();
    for (const [path, words] of [
      ['tile/entries/000', /entry 0 is/],
      ['tile/1/000.p/1', /fsck|their proof/],
    ] as const) {
      const bytes = readFileSync(join(folder, path));
      bytes[5]! ^= 1;
      writeFileSync(join(folder, path), bytes);
      expect(read(folder, said).stderr).toMatch(words);
      bytes[5]! ^= 1;
      writeFileSync(join(folder, path), bytes);
    }
    expect(read(folder, said).status).toBe(0);
  });
};

const NAME = "Go's sumdb/tlog and Tessera's fsck";
if (spawnSync('go', ['version']).status === 0) describe(NAME, suite);
else {
  const why = `${NAME}: SKIPPED, there is no go on the PATH`;
  process.stderr.write(`${why}\n`);
  test.skip(why, () => {});
}
