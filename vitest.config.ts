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
const LONG =
  /tests\/(docs|web\/(conditions|equal|beside|tamper-\d)|capture\/unchanged|interop\/oracle(-shapes)?|cli\/(recover|hostile-surroundings)|harness\/experiment\/(committed|resume|cli|python)|hook\/(kill|faults))\.test\.ts$/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(LONG.test(b.moduleId)) - Number(LONG.test(a.moduleId)));
  }
}

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
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
