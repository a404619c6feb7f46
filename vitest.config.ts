import { defineConfig } from 'vitest/config';

/** Tests that change nothing outside themselves, or put it back: their files share what was imported, which else takes half of their time. */
const SHARED = [
  'tests/{base,bench,evidence,interop,pcm,proxy,report,rules,seal,store,support,verify,web}/**/*.test.ts',
  // The others put something in place of a module, or watch every connection of the process.
  'tests/fleet/!(parquet).test.ts',
  'tests/harness/**/!(connections|demo).test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'shared', include: SHARED, isolate: false } },
      { extends: true, test: { name: 'apart', include: ['tests/**/*.test.ts'], exclude: SHARED } },
    ],
  },
});
