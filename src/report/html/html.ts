import type { Crypto } from '../../base/crypto.ts';
import { VERSION } from '../../base/version.ts';
import type { Bundle } from '../../evidence/bundle.ts';
import type { ReportFiles } from '../face.ts';
import type { Report } from '../model.ts';
import { carriedOf, carriedSize } from './carried.ts';
import { el, type PageElement } from './node.ts';
import { partsOf } from './parts-of-report.ts';
import { seenOf } from './seen.ts';
import { shellOf } from './shell.ts';

/** Larger evidence, in bytes of the files, is not carried: a browser would not open the page. */
export const MOST_CARRIED = 50 * 1024 * 1024;

export type HtmlInput = {
  readonly report: Report;
  /** The bundle, where it passed integrity. */
  readonly intact: Bundle | null;
  readonly files: ReportFiles;
  readonly script: string;
  /** RFC 4648 section 4 text of bytes. */
  readonly base64: (bytes: Uint8Array) => string;
};

const desk = (isCarried: boolean): PageElement =>
  el(
    'section',
    { class: 'check', id: 'check', 'aria-labelledby': 'check-title' },
    el('h2', { id: 'check-title' }, 'Check it yourself'),
    isCarried
      ? el(
          'p',
          {},
          'This page carries the exact bytes of bundle, receipt and profile, and the program that verifies them. It lacks what it must not bring itself: the list of keys that you trust. ',
          'Whoever can forge a page can forge its program too, so the surest check is a program of your own: forensictrace verify, or the page that forensictrace web writes, onto which this one can be dropped.',
        )
      : el(
          'p',
          {},
          'The evidence is larger than 50 MB, so this page does not carry it and does not verify itself. Check the files with forensictrace verify.',
        ),
    el('div', { id: 'desk' }),
  );

/**
 * The HTML face: one page, in pieces, that opens without network and verifies itself. The same for the same. Takes the report, the files it was
 * made from, and the script of `npm run build`.
 */
export const htmlOf = ({ report, intact, files, script, base64 }: HtmlInput, crypto: Crypto): Generator<string> => {
  const isCarried = carriedSize(files) <= MOST_CARRIED;
  return shellOf(
    {
      ...partsOf(seenOf(report, intact, files.trust, crypto), 'page'),
      title: `Forensic report, ${report.incident_id ?? 'incident not known'}`,
      kind: 'report',
      desk: desk(isCarried),
      settings: { mode: report.mode, 'other-profile': String(report.other_profile) },
      carried: isCarried ? carriedOf(files, base64) : {},
      footer: `Written by forensictrace ${VERSION}. The normative report is the JSON report; this page is derived from it and adds no judgement.`,
      script,
    },
    crypto,
  );
};

/** The empty verifier page: the same program, no evidence. */
export const verifierPage = (script: string, crypto: Crypto): Generator<string> =>
  shellOf(
    {
      title: 'forensictrace verifier',
      kind: 'verifier',
      header: [
        el('p', { class: 'over' }, `forensictrace ${VERSION}`),
        el('h1', {}, 'Verifier'),
        el(
          'p',
          {},
          'Verifies a bundle in this browser, offline: integrity first, under keys of your trust store, then the six forensic rules. Nothing leaves this page.',
        ),
      ],
      banners: [],
      desk: el(
        'section',
        { class: 'check', id: 'check', 'aria-labelledby': 'check-title' },
        el('h2', { id: 'check-title' }, 'Files'),
        el(
          'p',
          {},
          'Bundle, receipt, profile and trust store, in any order; or a page that forensictrace report wrote, and a trust store. What else verify is given, as family definitions or the keys of logs, may be given too.',
        ),
        el('noscript', {}, 'This page is a program: it does nothing where scripts are switched off.'),
        el('div', { id: 'desk' }),
      ),
      content: [],
      settings: {},
      carried: {},
      footer:
        'The verdict is that of forensictrace verify on the same files: the JSON report is the same, byte for byte.',
      script,
    },
    crypto,
  );
