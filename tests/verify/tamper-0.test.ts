import { vi } from 'vitest';
import { tamperSuite } from './tamper-suite.ts';

vi.mock('../../src/base/canonical.ts', async (original) => {
  const { remembering } = await import('./remembering.ts');
  return remembering(await original<typeof import('../../src/base/canonical.ts')>(), 'canonical');
});
vi.mock('../../src/verify/integrity-signature.ts', async (original) => {
  const { remembering } = await import('./remembering.ts');
  return remembering(await original<typeof import('../../src/verify/integrity-signature.ts')>(), 'checkSignature');
});
vi.mock('../../src/verify/integrity-list.ts', async (original) => {
  const { remembering } = await import('./remembering.ts');
  return remembering(await original<typeof import('../../src/verify/integrity-list.ts')>(), 'listRefusals');
});

tamperSuite(0, 2);
