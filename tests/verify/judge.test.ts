import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.ts';
import { portableCrypto } from '../../src/base/portable-crypto.ts';
import { FAMILIES } from '../../src/base/reasons/entry.ts';
import { COLLECTIONS } from '../../src/evidence/collections.ts';
import { reportOf } from '../../src/report/report.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import type { Mode } from '../../src/verify/outcome.ts';
import { type VerifyInput, verify } from '../../src/verify/verify.ts';
import { asObject, buildBundle, bundleOf } from '../support/bundle.ts';
import { pinningProfile, sealedFiles, testProfile } from '../support/pair.ts';

type Metadata = Record<string, unknown>;

const collections = (): JsonObject => {
  const bundle = buildBundle();
  return asObject(Object.fromEntries(COLLECTIONS.map((name) => [name, bundle[name]])));
};

/** The built bundle with other lists and other words in its TraceMetadata, its edges derived again. */
const bundleWith = (lists: object, metadata: Metadata = {}): JsonObject => {
  const all = collections();
  const [trace] = all.trace_metadata as unknown as Metadata[];
  return bundleOf(asObject({ ...all, ...lists, trace_metadata: [{ ...trace, ...metadata }] }) as never);
};

const judged = (bundle: JsonObject, profile: JsonObject = pinningProfile(bundle), mode: Mode = 'full') =>
  reportOf(verify({ ...sealedFiles(bundle, profile), mode, otherProfile: false }, nativeCrypto));

/** An exchange that names no endpoint. */
const unrouted = (): object => ({ ...(collections().exchanges as unknown as object[])[0], endpoint_id: null });

const EMPTY = Object.fromEntries(COLLECTIONS.filter((name) => name !== 'trace_metadata').map((name) => [name, []]));
const UNWATCHED = Object.fromEntries(
  [
    'discovery',
    'capability_use',
    'routing',
    'task_load',
    'uri_dereference',
    'artifact_render',
    'client_wire',
    'server_wire',
  ].map((name) => [name, false]),
);
const WATCHED = Object.fromEntries(Object.keys(UNWATCHED).map((name) => [name, true]));

describe('zero evidence is never a pass', () => {
  it('a trace with nothing but its metadata', () => {
    const report = judged(bundleWith(EMPTY));
    expect([report.verdict, report.exit_code]).toEqual(['INCONCLUSIVE', 3]);
    expect(report.verdict_reasons.map(({ reason }) => reason)).toEqual(['NO_EXCHANGE', 'NO_FAMILY_TRIGGERED']);
  });

  it('a trace that was watched everywhere and saw nothing that a rule judges', () => {
    const report = judged(bundleWith({ ...EMPTY, exchanges: [unrouted()] }, { coverage: WATCHED }));
    expect(report.families.filter(({ status }) => status !== 'CONSISTENT').map(({ family }) => family)).toEqual(['AS']);
    expect([report.verdict, report.verdict_reasons.map(({ reason }) => reason)]).toEqual([
      'INCONCLUSIVE',
      ['NO_FAMILY_TRIGGERED'],
    ]);
  });

  it.each(['recovered', 'incomplete'])('a capture that ended %s', (ended) => {
    const gaps = [{ at: '2026-03-01T10:00:30.000Z', what: 'the disk was full' }];
    const report = judged(bundleWith({}, { ended, gaps }));
    expect([report.verdict, report.verdict_reasons.map(({ reason }) => reason)]).toEqual([
      'INCONCLUSIVE',
      ['CAPTURE_NOT_COMPLETE'],
    ]);
  });

  it('a family that the profile requires and nobody watched', () => {
    const bundle = bundleWith({ task_load_snapshots: [] }, { coverage: UNWATCHED });
    const open = judged(bundle);
    expect(open.families.find(({ family }) => family === 'HOTF')?.status).toBe('NOT_OBSERVED');
    const required = judged(bundle, asObject({ ...pinningProfile(bundle), required_families: ['HOTF'] }));
    expect([required.verdict, required.verdict_reasons.map(({ reason }) => reason)]).toEqual([
      'INCONCLUSIVE',
      ['REQUIRED_FAMILY_NOT_OBSERVED'],
    ]);
  });

  it('a profile without pinned cards has no measure for AS', () => {
    const report = judged(bundleWith({ trusted_cards: [], discovery_events: [] }), testProfile());
    expect(report.families.find(({ family }) => family === 'AS')).toEqual({
      family: 'AS',
      status: 'NOT_OBSERVED',
      triggers: 0,
    });
  });
});

describe('modes', () => {
  it('records-only is the same rules on a graph without edges: every triggered family is inconclusive', () => {
    const full = judged(buildBundle());
    const report = judged(buildBundle(), pinningProfile(), 'records-only');
    const triggered = full.families.filter(({ triggers }) => triggers > 0).map(({ family }) => family);
    expect(triggered).toEqual([...FAMILIES]);
    expect(report.families.filter(({ status }) => status === 'INCONCLUSIVE').map(({ family }) => family)).toEqual(
      triggered,
    );
    expect(report.inconclusive.every(({ reason }) => reason === 'ANCHOR_MISSING')).toBe(true);
    expect([report.findings, report.exit_code]).toEqual([[], 3]);
  });

  it('root-only says no forensic word', () => {
    const report = judged(buildBundle(), testProfile(), 'root-only');
    expect([report.verdict, report.families, report.findings, report.observations]).toEqual([
      'INTEGRITY_VERIFIED',
      [],
      [],
      [],
    ]);
    expect(report.stages.map(({ status }) => status)).toEqual([
      ...Array(5).fill('passed'),
      ...Array(3).fill('not_in_mode'),
    ]);
  });
});

describe('verify is a pure function', () => {
  const input = (): VerifyInput => ({ ...sealedFiles(), mode: 'full', otherProfile: false });

  it('gives the same bytes of report for the same bytes, under either crypto', () => {
    const report = (crypto = nativeCrypto) => JSON.stringify(reportOf(verify(input(), crypto)));
    expect(report()).toBe(report());
    expect(report(portableCrypto)).toBe(report());
  });

  it('changes none of its inputs', () => {
    const given = input();
    const before = JSON.stringify(
      [given.bundle, given.receipt, given.profile, given.trust].map((bytes) => nativeCrypto.sha256Hex(bytes)),
    );
    verify(given, nativeCrypto);
    expect(
      JSON.stringify(
        [given.bundle, given.receipt, given.profile, given.trust].map((bytes) => nativeCrypto.sha256Hex(bytes)),
      ),
    ).toBe(before);
  });
});

describe('the documents beside the bundle', () => {
  const with_ = (changed: Partial<VerifyInput>) =>
    reportOf(verify({ ...sealedFiles(), mode: 'full', otherProfile: false, ...changed }, nativeCrypto));
  const family = (name: string) => ({ name: `${name}.json`, bytes: readFileSync(`families/${name}.json`) });
  const edited = (from: string, to: string) => ({
    name: 'as.json',
    bytes: Buffer.from(readFileSync('families/as.json', 'utf8').replace(from, to)),
  });

  it.each([
    ['an unknown family', edited('"AS"', '"XX"'), '/family_id'],
    ['an unknown member', edited('"title"', '"titel"'), '/titel'],
  ])('names the file and member of %s', (_, file, pointer) => {
    const report = with_({ families: [file] });
    expect([report.verdict, report.refusals.map(({ reason }) => reason)]).toEqual([
      'COULD_NOT_CHECK',
      expect.arrayContaining(['FAMILIES_MALFORMED']),
    ]);
    expect(report.refusals.map(({ at }) => [at.input, at.pointer])).toContainEqual(['families/as.json', pointer]);
  });

  it('refuses one family defined twice', () => {
    const report = with_({ families: [family('as'), { ...family('as'), name: 'again.json' }] });
    expect(report.refusals).toMatchObject([
      { reason: 'FAMILIES_MALFORMED', at: { input: 'families/again.json', pointer: '/family_id' } },
    ]);
  });

  it('names the member of a bad profile', () => {
    const profile = readFileSync('profiles/general.json', 'utf8').replace('"max_hops": 16', '"max_hops": 0');
    const report = with_({ profile: Buffer.from(profile) });
    expect(report.refusals).toMatchObject([
      { reason: 'PROFILE_MALFORMED', at: { input: 'profile', pointer: '/co/max_hops' } },
    ]);
  });

  it('refuses settings that are no object, and tells the faults of all inputs at once', () => {
    const report = with_({ settings: Buffer.from('[]'), bundle: Buffer.from('{'), trust: Buffer.from('') });
    expect(report.refusals.map(({ at, reason }) => [at.input, reason])).toEqual([
      ['bundle', 'READ_TRUNCATED'],
      ['trust', 'READ_EMPTY'],
      ['settings', 'READ_NOT_AN_OBJECT'],
    ]);
  });

  it('refuses a profile whose id is not the one the receipt names, whatever its digest', () => {
    const profile = asObject({ ...testProfile(), profile_id: 'profile-2' });
    const report = with_({ ...sealedFiles(bundleWith({ trusted_cards: [], discovery_events: [] }), profile) });
    expect(report.refusals).toMatchObject([
      { reason: 'PROFILE_NOT_NAMED_BY_RECEIPT', detail: expect.stringContaining('profile_id profile-1') },
    ]);
  });
});
