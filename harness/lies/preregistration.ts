import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../documents.ts';
import { digestOf } from './dataset.ts';

/** SHA-256 of the pre-registration as it stands. */
export const preregistration = (): string =>
  digestOf(readFileSync(join(packageRoot(), 'harness', 'lies', 'PREREGISTRATION.md')));
