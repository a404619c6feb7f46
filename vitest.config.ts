import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that change nothing outside themselves, or put it back: their files share what was imported, which else takes half of their time. */
const SHARED = [
  'tests/{base,bench,evidence,interop,pcm,proxy,report,rules,seal,store,support,verify,web}/**/*.test.ts',
  // The others put something in place of a module, or watch every connection of the process.
  'tests/fleet/!(parquet).test.ts',
  'tests/harness/**/!(connections|demo).test.ts',
];

/** The files that take longest: begun last, one of them would have every other worker wait for its end. */
const LONG = {
  bench: ['scaling'],
  capture: ['unchanged'],
  cli: ['hostile-surroundings'],
  fleet: ['large'],
  'harness/experiment': ['cli', 'committed', 'python', 'resume'],
  'harness/lies': ['generate'],
  hook: ['faults', 'kill'],
  interop: ['oracle', 'oracle-shapes'],
  'rules/detectors/markup': ['hostile'],
  verify: ['paths'],
  web: ['beside', 'conditions', 'equal', 'tamper-0', 'tamper-1'],
  '.': ['docs'],
};
const LONG_FILES = Object.entries(LONG).flatMap(([folder, names]) =>
  names.map((name) => join(import.meta.dirname, 'tests', folder, `${name}.test.ts`)),
);
const isLong = ({ moduleId }: TestSpecification): boolean => LONG_FILES.includes(moduleId);

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}

export default defineConfig({
  test: {
    // A test may take half a minute, and holds on a machine that is five times slower or has other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    // What is built is run as Node runs it.
    server: { deps: { external: [/\/dist\/src\//] } },
    sequence: { sequencer: LongFirst },
    projects: [
      { extends: true, test: { name: 'shared', include: SHARED, isolate: false } },
      { extends: true, test: { name: 'apart', include: ['tests/**/*.test.ts'], exclude: SHARED } },
    ],
  },
});
