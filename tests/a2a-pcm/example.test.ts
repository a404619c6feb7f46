import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the example prints what its page says', () => {
  const [, said] = readFileSync('docs/PCM-A2A.md', 'utf8').match(/^prints\n\n```\n([\s\S]*?)^```$/m)!;
  expect(execFileSync(process.execPath, ['docs/examples/pcm-a2a.mjs'], { encoding: 'utf8' })).toBe(said);
});
