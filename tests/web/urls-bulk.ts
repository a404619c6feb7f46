import { readUrl } from '../../src/base/url.ts';
import type { Spelling } from '../base/odd-urls.ts';

/** What each spelling is read as; runs in a page, and here. */
export const readings = (spellings: readonly Spelling[]): string[] =>
  spellings.map(({ text, base }) => JSON.stringify(readUrl(text, base)));
