import type { ReportFiles } from '../report/face.ts';
import { partsOf, type ReportParts } from '../report/html/parts-of-report.ts';
import { unreadParts } from '../report/html/unread.ts';
import { jsonText } from '../report/json.ts';
import { button, byId, put, save } from './document.ts';
import { manageRecords } from './records.ts';
import { type Options, verified } from './verification.ts';

const write = ({ header, banners, content }: ReportParts): void => {
  put('head', header);
  put('banners', banners);
  put('content', content);
};

/** Verifies, and writes the page anew from what this browser found: nothing that stood there before remains. Returns the verdict. */
export const show = (files: ReportFiles, options: Options): string => {
  const { report, seen } = verified(files, options);
  write(partsOf(seen, 'reader'));
  manageRecords(() => seen);
  byId('after').replaceChildren(button('Save report.json', () => save('report.json', jsonText(report))));
  const fault = report.refusals.find(({ at }) => at.input === 'trust');
  const told = fault === undefined ? '' : ` The trust store could not be read: ${fault.reason}, ${fault.detail}.`;
  return `Verified in this browser: ${report.verdict}.${told}`;
};

/** Writes the page anew as one that carries nothing that can be verified. Returns what is said of it. */
export const showUnread = (why: string): string => {
  write(unreadParts(why));
  byId('after').replaceChildren();
  return `Nothing was verified. ${why}`;
};

/** Does something long once the browser has shown that it is being done, and says how it ended. */
export const whileSaying = (words: string, act: () => string): void => {
  byId('said').textContent = words;
  setTimeout(() => {
    try {
      byId('said').textContent = act();
    } catch (error) {
      byId('said').textContent = `This program failed, and nothing was verified: ${String(error)}`;
      throw error;
    }
  }, 30);
};
