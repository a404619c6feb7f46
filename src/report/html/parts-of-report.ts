import { bannersOf, type Voice } from './banners.ts';
import { coverageOf, glossaryOf, inputsOf } from './coverage.ts';
import { quoted } from './evidence-text.ts';
import { findingsOf } from './findings.ts';
import { graphOf } from './graph.ts';
import { el, type PageElement } from './node.ts';
import { recordsOf } from './records.ts';
import type { Seen } from './seen.ts';
import { sequenceOf } from './sequence.ts';
import { timelineOf } from './timeline.ts';

const NAMES: Readonly<Record<string, string>> = {
  statements: 'Findings',
  sequence: 'Exchanges',
  timeline: 'Timeline',
  relations: 'Relations',
  coverage: 'Covered and not',
  records: 'Records',
  inputs: 'Files',
  glossary: 'Glossary',
};

const contentsOf = (content: readonly PageElement[]): PageElement => {
  const links = content.map(({ attributes: { id = '' } }) =>
    el('li', {}, el('a', { href: `#${id}` }, NAMES[id] ?? id)),
  );
  return el('nav', { 'aria-label': 'Contents' }, el('ul', {}, links));
};

/** A report as a page tells it: its heading, its four banners, and everything below them. */
export type ReportParts = {
  readonly header: readonly PageElement[];
  readonly banners: readonly PageElement[];
  readonly content: readonly PageElement[];
};

/** The same for the same, whether it is written into a file or by a browser. */
export const partsOf = (seen: Seen, voice: Voice): ReportParts => {
  const { incident_id: incident, verdict, signature_accepted: isSigned } = seen.report;
  const content = [
    findingsOf(seen),
    sequenceOf(seen),
    timelineOf(seen),
    graphOf(seen),
    coverageOf(seen),
    recordsOf(seen),
    inputsOf(seen),
    glossaryOf(),
  ].filter((part) => part !== null);
  return {
    header: [
      el('p', { class: 'over' }, 'Forensic report of what agents asked of each other'),
      el(
        'h1',
        {},
        incident === null ? 'Incident not known' : [isSigned ? 'Incident ' : 'Claimed incident ', quoted(incident)],
      ),
      el(
        'p',
        { class: 'over' },
        voice === 'page' ? 'Verdict when this page was written: ' : 'Verdict of this browser: ',
        el('code', {}, verdict),
      ),
      contentsOf(content),
    ],
    banners: bannersOf(seen, voice),
    content,
  };
};
