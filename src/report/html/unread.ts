import { banner } from './banners.ts';
import { el } from './node.ts';
import type { ReportParts } from './parts-of-report.ts';

/** What a page says of itself once its reader's browser finds that what it carries is not what a page carries: nothing of it was verified. */
export const unreadParts = (why: string): ReportParts => ({
  header: [
    el('p', { class: 'over' }, 'Forensic report of what agents asked of each other'),
    el('h1', {}, 'This page is not as it was written'),
  ],
  banners: [
    banner('Integrity', { state: 'open', word: 'Could not be checked', lines: [why] }),
    banner('Authenticity', { state: 'refused', word: 'Not accepted', lines: ['What cannot be read is nobody’s.'] }),
    banner('Time', { state: 'open', word: 'Not known', lines: [] }),
    banner('Findings', { state: 'open', word: 'Not judged', lines: ['No record of it is shown.'] }),
  ],
  content: [
    el(
      'section',
      { id: 'statements' },
      el('h2', {}, 'Nothing was verified'),
      el('p', {}, `${why} The page was changed or cut after it was written: ask for the files themselves.`),
    ),
  ],
});
