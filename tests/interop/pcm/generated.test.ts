import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomOf } from '../../pcm/fuzz/random.ts';
import { mutateText } from '../../pcm/fuzz/text.ts';
import { mutateValue } from '../../pcm/fuzz/value.ts';
import { LYING_BODIES, ME, messageFor, SCHEMA, TRUE_BODIES } from '../../pcm/fuzz/world.ts';
import { ATTESTED, callOf, eventOf, evidenceOf, LOG, type Members, messageOf, refOf, TS } from '../../pcm/lab.ts';
import type { Vector } from '../../pcm/vectors.ts';
import { vectorsIn } from '../../pcm/vectors-folder.ts';
import { runs } from '../../support/thorough.ts';
import { describeWithPython } from '../support/python.ts';
import { disagreements } from './differential.ts';

const SEED = 20_261_130;
/** As many values of an arbitrary, the same ones in every run. */
const sample = <T>(arbitrary: fc.Arbitrary<T>, thorough: number, quick: number): T[] =>
  fc.sample(arbitrary, { numRuns: runs(thorough, quick), seed: SEED });

const caseOf = (name: string, message: Members | string, schema: Members = SCHEMA): Vector => ({
  name,
  text: typeof message === 'string' ? message : JSON.stringify(message),
  trust: { logs: [LOG.vkey] },
  schemas: [schema],
  me: ME,
  now: TS,
  strict: false,
  replay: null,
  expected: {},
  firm: [],
});
const PLAIN: Members = { pcm_schema: 0, name: 'done', fields: {} };
type Call = { readonly events: readonly Members[]; readonly opened: Readonly<Record<number, Members>> };
const claiming = (type: string, args: Members, call: Call): Vector => {
  const claim: Members = { type, args, evidence: evidenceOf(call.events, call.opened) };
  const body = { intent: { type: refOf(PLAIN), args: {} }, claims: [claim] };
  return caseOf(JSON.stringify([args, call.opened]), messageOf(body, PLAIN), PLAIN);
};
/** One to so many of the pieces, put together. */
const joined = (pieces: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength }).map((found) => found.join(''));

describeWithPython('the second verifier, on what is generated', () => {
  test('reads vectors that were edited as text as we do', async () => {
    const vectors = vectorsIn('tests/vectors/pcm');
    const cases = Array.from({ length: runs(3000, 200) }, (_, i) => {
      const random = randomOf(SEED + i);
      const [vector, other] = [random.pick(vectors), random.pick(vectors)];
      const text = mutateText(Buffer.from(vector.text), Buffer.from(other.text), random).toString('utf8');
      return { ...vector, name: `${vector.name}, edit ${i}`, text };
    });
    expect(await disagreements(cases, false)).toEqual([]);
  });

  test('judges bodies that were edited and then signed as we do', async () => {
    const cases = Array.from({ length: runs(3000, 200) }, (_, i) => {
      const random = randomOf(SEED + i);
      const body = mutateValue(random.pick(random.pick([TRUE_BODIES, LYING_BODIES])), random);
      return caseOf(`body ${i}`, messageFor(body));
    });
    expect(await disagreements(cases)).toEqual([]);
  });

  test('takes the same patterns, and matches the same ids', async () => {
    const pieces = [
      'a',
      'b',
      '-',
      '.',
      '\\d',
      '\\w',
      '\\.',
      '\\\\',
      '[a-c]',
      '[^a]',
      '[.$*-]',
      '[--a]',
      '[a-]',
      '(a|b)',
      '(?:ab)',
      '|',
    ];
    const counts = ['*', '+', '?', '{1}', '{1,1}', '{2}', '{0,2}', '{2,}', '{1000}', '{1001}', '', '', '', ''];
    const starts = ['', '', '', '^', '(', '*'];
    const ends = ['', '', '', '$', '\\$', '\\\\$', '\\\\\\$', '\\', ')', ']', '}', '{'];
    const pattern = fc
      .tuple(
        fc.constantFrom(...starts),
        joined([...pieces, ...counts], 6),
        fc.constantFrom(...counts),
        fc.constantFrom(...ends),
      )
      .map((parts) => parts.join(''));
    const cases = sample(fc.tuple(pattern, joined(['a', 'b', '1', '-', '.', '\\', '\n', '$'], 4)), 2000, 150).map(
      ([found, id]) => {
        const schema: Members = { pcm_schema: 0, name: 'ids', fields: { id: { type: 'id', pattern: found } } };
        const body = { intent: { type: refOf(schema), args: { id } } };
        return caseOf(JSON.stringify([found, id]), messageOf(body, schema), schema);
      },
    );
    expect(await disagreements(cases)).toEqual([]);
  });

  test('tells hosts, paths and test commands apart as we do', async () => {
    const hosts = [
      'a.example',
      'A.example',
      '1.2.3.4',
      '01.2.3.4',
      '0x7f.1',
      '[::1]',
      '[::ffff:1.2.3.4]',
      '64:ff9b::102:304',
      '2001:db8::1',
    ];
    const inUrl = [
      'http:',
      'https:',
      'ftp:',
      'blob:',
      'x:',
      '//',
      '/',
      '\\',
      '@',
      ':80',
      ':',
      '.',
      '%41',
      '?',
      '#',
      '[',
      ']',
      ' ',
      'é',
      ...hosts,
    ];
    const url = fc.oneof(
      joined(inUrl, 5),
      joined([...hosts, ...inUrl], 3).map((rest) => `http://${rest}`),
    );
    const host = fc.oneof(fc.constantFrom(...hosts), joined([...hosts, '.', ':80', ':', '::', 'b'], 3));
    const path = joined(['/', '\\', 'C:', 'c:', 'D:', '.', '..', 'a', 'b'], 6);
    const rooted = fc.tuple(fc.constantFrom('/', 'C:/', 'C:\\'), path).map((parts) => parts.join(''));
    const suite = joined(
      ['pytest', 'npm', 'test', 'go', ' ', '\t', "'", '"', '-h', '--help', '--he', '-q', '\\', '$', '\u0085', '\n'],
      6,
    );
    const digest = `sha256:${createHash('sha256').update('x').digest('hex')}`;
    const written = (at: string) => callOf('Write', { file_path: at, content: 'x' });
    const cases = [
      ...sample(fc.tuple(host, url), 2000, 150).map(([wanted, found]) =>
        claiming('reached_host', { host: wanted }, callOf('WebFetch', { url: found })),
      ),
      ...sample(fc.tuple(host, fc.oneof(host, url), fc.constantFrom(0, 1, 1.5, '1')), 1000, 80).map(
        ([wanted, found, connections]) =>
          claiming(
            'reached_host',
            { host: wanted },
            {
              events: [eventOf(0, 'effect.observed', { kind: 'net', host: found, connections }, { source: 'signer' })],
              opened: {},
            },
          ),
      ),
      ...sample(fc.tuple(rooted, fc.oneof(path, rooted)), 2000, 120).map(([wanted, found]) =>
        claiming('file_written', { path: wanted, digest }, written(found)),
      ),
      ...sample(suite, 1000, 100).map((command) =>
        claiming('tests_passed', { suite: command }, callOf('Bash', { command }, ATTESTED)),
      ),
    ];
    expect(await disagreements(cases)).toEqual([]);
  });

  test('remembers messages as we do, with room for two nonces', async () => {
    const at = (tenths: number): string => `2026-11-30T12:00:${String(10 + tenths).padStart(2, '0')}.000000Z`;
    const sent = fc.tuple(fc.nat(5), fc.nat(5), fc.constantFrom('uid:1', 'uid:3'), fc.boolean());
    const cases = sample(fc.array(sent, { minLength: 2, maxLength: 7 }), 500, 40).map((sequence, i) => {
      const texts = sequence.map(([ts, nonce, agent, isOurs]) =>
        JSON.stringify(
          messageOf(
            {
              ts: at(ts),
              nonce: `${nonce}`.repeat(32),
              from: { agent, run: 'run-1', tenant: 'default' },
              to: { agent: isOurs ? ME : 'uid:9' },
              intent: { type: refOf(PLAIN), args: {} },
            },
            PLAIN,
          ),
        ),
      );
      const prior = texts.slice(0, -1).map((text) => ({ text, now: at(5) }));
      return {
        ...caseOf(`sequence ${i}`, texts.at(-1)!, PLAIN),
        now: at(5),
        replay: { started: at(1), maxNonces: 2, prior },
      };
    });
    expect(await disagreements(cases)).toEqual([]);
  });
});
