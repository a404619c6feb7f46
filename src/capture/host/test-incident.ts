import { nativeCrypto } from '../../store/native-crypto.ts';

const READABLE = 80;
const DIGEST = 8;

/**
 * The incident id of a test (FORMAT.md section 3), from its file and name: what can be read of it, shortened, and a digest of the whole, so that no two
 * names have the same id. Stable from run to run.
 */
export const incidentOfTest = (name: string): string => {
  const readable = name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, READABLE)
    .replace(/^[._-]+|[._-]+$/g, '');
  return `${readable || 'test'}.${nativeCrypto.sha256Hex(Buffer.from(name)).slice(0, DIGEST)}`;
};
