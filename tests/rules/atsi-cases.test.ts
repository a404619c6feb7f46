import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeBody } from '../../src/evidence/body.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { judge, produced } from './atsi-traces.ts';
import { told } from './support.ts';

/** The markup of tests/cases/markup as artifacts that a panel rendered. */

const read = (name: string): Buffer => readFileSync(new URL(`../cases/markup/${name}`, import.meta.url));

const rows = read('EXPECT.tsv')
  .toString()
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [string, string, string, string, string]);

const REASONS: Readonly<Record<string, readonly string[]>> = {
  inert: [],
  active: ['ATSI_ACTIVE_CONTENT_INTERPRETED'],
  'active-or-remote-load': ['ATSI_ACTIVE_CONTENT_INTERPRETED', 'ATSI_REMOTE_LOAD'],
  'remote-load': ['ATSI_REMOTE_LOAD'],
  inconclusive: ['ATSI_NOT_JUDGED'],
  'renderer-dependent': ['ATSI_NOT_JUDGED', 'ATSI_ACTIVE_CONTENT_INTERPRETED'],
};

const shownIn = (name: string, fields: { mode?: 'interpreted' | 'source'; interpreted_as: string }) => {
  const content = makeBody(read(name), 1_000_000, nativeCrypto);
  return produced('', { content, media_type: fields.interpreted_as }).add('artifact_renders', 'v', {
    artifact_record_id: 'a',
    input_sha256: content.sha256,
    ...fields,
  });
};

describe('rendered as interpreted', () => {
  it.each(rows)('%s (%s) as %s: %s', (name, _report, interpreted_as, expected) => {
    const { statements } = judge(shownIn(name, { interpreted_as }));
    const said = statements.map(({ reason }) => reason).filter((reason) => reason !== 'ATSI_LATENT_ACTIVE_CONTENT');
    expect(said).toHaveLength(expected === 'inert' ? 0 : 1);
    expect(REASONS[expected]).toEqual(expect.arrayContaining(said));
  });
});

it('takes an SVG artifact by how it was shown: as source, in a sandbox, or not at all', () => {
  const svg = { interpreted_as: 'image/svg+xml' };
  expect(told(judge(shownIn('s01.svg', { ...svg, mode: 'source' })).statements)).toEqual([
    'ATSI_ACTIVE_SHOWN_AS_SOURCE a',
  ]);
  expect(told(judge(shownIn('s01.svg', svg), { sandboxed_renderers: ['panel'] }).statements)).toEqual([
    'ATSI_ACTIVE_CONTENT_SANDBOXED a',
  ]);
  const text = read('s01.svg').toString();
  const unrendered = (watched: boolean) =>
    told(judge(produced(text, { media_type: 'image/svg+xml' }, watched)).statements);
  expect([unrendered(true), unrendered(false)]).toEqual([['ATSI_ACTIVE_UNRENDERED a'], ['ATSI_RENDER_NOT_WATCHED a']]);
});
