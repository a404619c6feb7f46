import { forensictrace } from 'forensictrace/vitest';
import { defineConfig } from 'vitest/config';

const { KEY: key, TRUST: trust, PROFILE: profile, OUT: out } = process.env;

export default defineConfig({
  cacheDir: `${out}.cache`,
  plugins: [forensictrace({ key, trust, profile, out })],
  test: { include: ['*.test.mjs'], maxWorkers: 2, testTimeout: 60_000, hookTimeout: 60_000 },
});
