import { defineConfig } from 'vitest/config';

/** Tests of functions that change nothing outside themselves: their files share what was imported, which else takes half of their time. */
const SHARED = 'tests/{base,evidence,pcm,report,rules,seal,support,verify}/**/*.test.ts';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'shared', include: [SHARED], isolate: false } },
      { extends: true, test: { name: 'apart', include: ['tests/**/*.test.ts'], exclude: [SHARED] } },
    ],
  },
});
