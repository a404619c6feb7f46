import type { Beside } from '../report/html/carried.ts';
import { quoted } from '../report/html/evidence-text.ts';
import { type Content, el, type PageElement } from '../report/html/node.ts';

/** A name of strangers as the name of a file that is saved. */
const savedAs = (name: string): string => name.replace(/[^A-Za-z0-9._-]/g, '_');

/** The documents beside the evidence, each with the name under which it is saved. */
export const besideFiles = ({ families = [], settings, pcm }: Beside): readonly (readonly [string, Uint8Array])[] => [
  ...families.map(({ name, bytes }) => [`family-${savedAs(name)}`, bytes] as const),
  ...(settings === undefined ? [] : [['settings.json', settings] as const]),
  ...(pcm === undefined ? [] : [['pcm-trust.json', pcm.trust] as const]),
  ...(pcm?.schemas ?? []).map(({ name, bytes }) => [`pcm-schema-${savedAs(name)}`, bytes] as const),
];

/** What a reader is told, before anything is verified, of documents that came with the page; keys of logs are the reader's to replace. */
export const besideTold = ({ families = [], settings, pcm, expectedIncident }: Beside): readonly PageElement[] => {
  const named = [
    ...(families.length === 0 ? [] : [`${families.length} family definitions`]),
    ...(settings === undefined ? [] : ['a settings document']),
    ...(pcm === undefined ? [] : ['the keys of logs and the schemas of proof-carrying messages']),
  ];
  const incident: Content =
    expectedIncident === undefined ? null : [' It asks for the incident ', quoted(expectedIncident), '.'];
  return [
    named.length === 0 && incident === null
      ? null
      : el(
          'p',
          {},
          named.length === 0 ? null : `This page brings ${named.join(', ')}, by which it is judged too.`,
          incident,
        ),
    pcm === undefined
      ? null
      : [
          el('label', { for: 'logs-file' }, 'Your keys of logs, instead of those that this page brings'),
          el('input', { type: 'file', id: 'logs-file', accept: '.json,application/json' }),
        ],
  ]
    .flat()
    .filter((part) => part !== null);
};
