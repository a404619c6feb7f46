import { FAMILY_NAMES, WORDS } from '../../base/words.ts';
import type { TrustedKey } from '../../seal/trust.ts';
import type { Report } from '../model.ts';
import { quoted } from './evidence-text.ts';
import { type Content, el, type PageElement } from './node.ts';
import { counted, instant, type State, shape } from './parts.ts';
import { told } from './record-line.ts';
import type { Seen } from './seen.ts';

/** Who says it: the one who wrote the page, or the reader's own browser under the reader's own trust store. */
export type Voice = 'page' | 'reader';
type Banner = { readonly state: State; readonly word: string; readonly lines: readonly Content[] };

const isUnread = ({ report }: Seen): boolean => report.verdict === 'COULD_NOT_CHECK';
const isRefused = ({ report }: Seen): boolean => report.verdict === 'INTEGRITY_REFUSED';
const trustDigest = ({ report }: Seen): string =>
  report.inputs.find(({ input }) => input === 'trust')?.sha256 ?? 'unknown';

const signerLines = ({ report, key }: Seen): Content[] => [
  ['Signer: ', report.signer_id === null ? 'not known' : quoted(report.signer_id)],
  ['Key: ', report.key_id === null ? 'not known' : quoted(report.key_id)],
  ...(key === null ? [] : [`The trust store has this key as ${validity(key)}.`]),
];

const validity = ({ status, valid_from, valid_until, revoked_at, revocation_reason, signer_id }: TrustedKey): string =>
  [
    `${status}, of ${signer_id}, valid from ${valid_from}`,
    valid_until === undefined ? '' : `until ${valid_until}`,
    revoked_at === undefined ? '' : `revoked at ${revoked_at} (${revocation_reason})`,
  ]
    .filter((part) => part !== '')
    .join(', ');

const integrity = (seen: Seen, voice: Voice): Banner => {
  const { report } = seen;
  if (isUnread(seen)) {
    return {
      state: 'open',
      word: 'Could not be checked',
      lines: ['A file could not be read as what it should be. See below.'],
    };
  }
  if (isRefused(seen)) {
    return report.signature_accepted
      ? {
          state: 'refused',
          word: 'Refused',
          lines: ['These files are not what was signed. No record of them is shown.'],
        }
      : {
          state: 'open',
          word: 'Not compared',
          lines: [
            'No signature was accepted, so there is nothing to compare the records with. No record of them is shown.',
          ],
        };
  }
  const counts = `${counted(report.records ?? 0, 'record')} and ${counted(report.edges ?? 0, 'relationship')}`;
  return voice === 'reader'
    ? { state: 'verified', word: 'Intact', lines: [`${counts} are, byte for byte, those that were signed.`] }
    : {
        state: 'claimed',
        word: 'Intact, as this page claims',
        lines: [`${counts} were those that were signed when this page was written.`],
      };
};

const authenticity = (seen: Seen, voice: Voice): Banner => {
  const { report } = seen;
  const own = voice === 'reader' ? 'your trust store' : 'the trust store of whoever wrote this page';
  if (isUnread(seen)) {
    return {
      state: 'refused',
      word: 'Not accepted',
      lines: ['What cannot be read is nobody’s.', ...signerLines(seen)],
    };
  }
  if (isRefused(seen)) {
    return report.signature_accepted
      ? {
          state: 'refused',
          word: 'Refused',
          lines: ['The receipt is signed, but for other files than these: nobody signed these.', ...signerLines(seen)],
        }
      : {
          state: 'refused',
          word: 'Refused',
          lines: [`The signature is not accepted under ${own}. What follows is a claim.`, ...signerLines(seen)],
        };
  }
  if (voice === 'page') {
    return {
      state: 'claimed',
      word: 'Not checked by you',
      lines: [
        'Until you check it with a trust store of your own, what this page says of itself is worth nothing: whoever can write a page can write this sentence.',
        ...signerLines(seen),
        ['It was accepted under a trust store with SHA-256 ', quoted(trustDigest(seen))],
      ],
    };
  }
  return { state: 'verified', word: 'Signed by a key you trust', lines: signerLines(seen) };
};

const time = (seen: Seen): Banner => {
  const { report, rows } = seen;
  const capture = rows.find(({ collection }) => collection === 'trace_metadata')?.fields;
  return {
    state: 'open',
    word: 'Claimed, not proven',
    lines: [
      report.issued_at === null
        ? 'When it was signed is not known.'
        : report.signature_accepted
          ? ['Signed at ', instant(report.issued_at), ', as the signer says. No clock outside vouches for it.']
          : ['The receipt says ', instant(report.issued_at), '; its signature was not accepted.'],
      capture === undefined
        ? null
        : [
            'Recorded from ',
            instant(told(capture.started_at)),
            ' to ',
            instant(told(capture.ended_at)),
            ', by the clock of the capture. The order of the records is signed.',
          ],
    ],
  };
};

/** What makes a judgement another one than the receipt asks for: a forged page could ask for it too, so it stands with the verdict. */
const departures = ({ other_profile: isOther, mode }: Report): readonly string[] => [
  ...(isOther ? ['Judged under another profile than the receipt names.'] : []),
  ...(mode === 'full' ? [] : [`Judged in mode ${mode}, not in full.`]),
];

const findings = ({ report }: Seen, voice: Voice): Banner => {
  const departed = departures(report);
  const says = voice === 'page' ? ', as this page claims' : '';
  const observed = report.families.filter(({ status }) => status !== 'NOT_OBSERVED');
  const scope =
    report.families.length === 0 ? null : `${observed.length} of ${report.families.length} families were observed.`;
  const means = WORDS[report.verdict];
  switch (report.verdict) {
    case 'FORENSICALLY_INDICATED': {
      const named = report.families.filter(({ status }) => status === 'INDICATED');
      const what = named.map(({ family }) => FAMILY_NAMES[family]).join(', ');
      return {
        state: 'found',
        word: `${counted(report.findings.length, 'finding')}${says}`,
        lines: [...departed, `Indicated: ${what}.`, scope, means],
      };
    }
    case 'FORENSICALLY_CONSISTENT':
      return {
        state: departed.length > 0 ? 'open' : voice === 'page' ? 'claimed' : 'verified',
        word: `None${says}`,
        lines: [...departed, scope, means],
      };
    case 'INCONCLUSIVE':
      return { state: 'open', word: `Inconclusive${says}`, lines: [...departed, scope, means] };
    default:
      return { state: 'open', word: 'Not judged', lines: [...departed, means] };
  }
};

/** One of the four statements. */
export const banner = (name: string, { state, word, lines }: Banner): PageElement => {
  const id = name.toLowerCase();
  return el(
    'section',
    { class: `banner ${state}`, id, 'data-state': state, 'aria-labelledby': `${id}-name` },
    el('h2', { id: `${id}-name` }, name),
    el('p', { class: 'word' }, shape(state), el('strong', {}, word)),
    lines.filter((line) => line !== null).map((line) => el('p', {}, line)),
  );
};

/** The four statements of a page, which are never merged into one. */
export const bannersOf = (seen: Seen, voice: Voice): readonly PageElement[] => [
  banner('Integrity', integrity(seen, voice)),
  banner('Authenticity', authenticity(seen, voice)),
  banner('Time', time(seen)),
  banner('Findings', findings(seen, voice)),
];
