import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.ts';
import { runMain } from '../support/run-main.ts';
import { A, bytesOf, callOf, evidenceOf, grantOf, keyOf, LOG, messageOf, refOf, SCHEMA } from './lab.ts';

/** Runs the command in this process; what users run, built, is tests/cli's to see. */
const run = (...args: readonly string[]) => runMain(main, ['pcm', ...args]);

const folder = mkdtempSync(join(tmpdir(), 'forensictrace-pcm-'));
const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, bytesOf(content));
  return path;
};

const LISTING = { ...SCHEMA, claims: ['tests_passed'] };
const call = callOf('Bash', { command: 'pytest' });
const claims = [{ type: 'tests_passed', args: { suite: 'pytest' }, evidence: evidenceOf(call.events, call.opened) }];
const TRUST = file('trust.json', { logs: [LOG.vkey] });
const PLAIN = file('pay.json', SCHEMA);
const SCHEMAS = ['--schema', PLAIN, '--schema', file('listing.json', LISTING)];
const GOOD = file('good.json', messageOf({ claims }, LISTING));
const BARE = file('bare.json', messageOf({}, LISTING));
const TAMPERED = file('tampered.json', { ...messageOf({ claims }, LISTING), id: '2'.repeat(32) });
const TWICE = file('twice.json', '{"pcm":0,"pcm":0}');
const verify = (message: string, ...more: readonly string[]) =>
  run('verify', message, '--trust', TRUST, ...SCHEMAS, ...more);

describe('pcm verify', () => {
  it.each<[string, readonly string[], number, RegExp]>([
    [
      'accept',
      [GOOD, '--me', 'uid:2'],
      0,
      /^ACCEPT {2}signature ok · schema ok · tests_passed proven \(.+; evidence 10 s before the message\) · not checked: replay\n$/,
    ],
    ['accept without me', [GOOD], 0, / · not checked: replay, recipient\n$/],
    ['accept-unproven', [BARE], 3, /^ACCEPT-UNPROVEN {2}tests_passed: required, not proven · /],
    ['reject by strict', [BARE, '--strict'], 1, /^REJECT {2}tests_passed: required, not proven · /],
    [
      'reject of a forged message',
      [TAMPERED],
      1,
      /^REJECT {2}signature: the key log\.example\+\w{8} did not sign this · /,
    ],
    ["reject of another's message", [GOOD, '--me', 'uid:3'], 1, /^REJECT {2}replay: addressed to uid:2, not uid:3 · /],
    ['bad input', [TWICE], 2, /^BAD-INPUT {2}input at \/pcm: the object already has a member of this name\n$/],
  ])('%s', async (_, [message, ...more], code, line) => {
    const ran = await verify(message!, ...more);
    expect([ran.code, ran.stderr]).toEqual([code, '']);
    expect(ran.stdout).toMatch(line);
  });

  it('prints the whole result as JSON', async () => {
    const ran = await verify(GOOD, '--me', 'uid:2', '--json');
    expect(JSON.parse(ran.stdout)).toMatchObject({
      signature: { ok: true, key: LOG.ref },
      replay: { ok: null },
      schema: { ok: true, ref: refOf(LISTING), errors: [] },
      grants: { result: 'none', steps: 0, root: null, problems: [] },
      claims: [{ type: 'tests_passed', result: 'proven', reason: 'PCM_CLAIM_PROVEN', evidence_age_s: 10 }],
      verdict: 'accept',
      reasons: [],
      skipped: ['replay'],
    });
    expect(JSON.parse((await verify(TWICE, '--json')).stdout)).toMatchObject({
      verdict: 'bad-input',
      findings: [{ reason: 'PCM_READ_DUPLICATE', at: '/pcm' }],
    });
  });

  const pinning = (name: string, logs: readonly string[], witnesses: readonly string[] = []): string =>
    file(name, { logs, witnesses: witnesses.map((vkey) => ({ vkey })) });
  const twoKeys = pinning('two-keys.json', [LOG.vkey, keyOf(2, LOG.name).vkey]);
  const twoNames = pinning('two-names.json', [LOG.vkey, keyOf(1, 'other').vkey]);
  const [W, V] = [keyOf(3, 'w', 4).vkey, keyOf(3, 'v', 4).vkey];
  const twoWitnessKeys = pinning('witness-keys.json', [LOG.vkey], [W, keyOf(4, 'w', 4).vkey]);
  const twoWitnessNames = pinning('witness-names.json', [LOG.vkey], [W, V]);
  it.each<[string, readonly string[], RegExp]>([
    [
      'a trust document with two keys of a log',
      [GOOD, '--trust', twoKeys, '--schema', PLAIN],
      /refused at \/logs\/1: two Ed25519 keys .+ \(PCM_TRUST_LOG_TWO_KEYS\)\nKeep only/,
    ],
    [
      'one key under two logs',
      [GOOD, '--trust', twoNames, '--schema', PLAIN],
      /refused at \/logs\/1: one Ed25519 key .+ two names of a log: log\.example, other \(PCM_TRUST_LOG_TWO_NAMES\)\nKeep it under/,
    ],
    [
      'two keys of a witness',
      [GOOD, '--trust', twoWitnessKeys, '--schema', PLAIN],
      /refused at \/witnesses\/1: two Ed25519 keys .+ the witness w: .+ \(PCM_TRUST_WITNESS_TWO_KEYS\)\nKeep only/,
    ],
    [
      'one key under two witnesses',
      [GOOD, '--trust', twoWitnessNames, '--schema', PLAIN],
      /refused at \/witnesses\/1: one Ed25519 key .+ two names of a witness: w, v \(PCM_TRUST_WITNESS_TWO_NAMES\)\nKeep it under/,
    ],
    [
      'a schema document it refuses',
      [GOOD, '--trust', TRUST, '--schema', TRUST],
      /the schema document .+ is refused at \/pcm_schema: the member is missing \(PCM_SCHEMA_DOCUMENT\)/,
    ],
    [
      'a message that is not there',
      [join(folder, 'none.json'), '--trust', TRUST, '--schema', PLAIN],
      /cannot read the message .+ no such file/,
    ],
    ['no trust document', [GOOD, '--schema', PLAIN], /required option '--trust <file>' not specified/],
    ['no schema document', [GOOD, '--trust', TRUST], /required option '--schema <file>' not specified/],
    ['an option it has not', [GOOD, '--trust', TRUST, '--schema', PLAIN, '--yes'], /unknown option '--yes'/],
  ])('cannot check with %s', async (_, args, told) => {
    const ran = await run('verify', ...args);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toMatch(told);
  });
});

describe('pcm inspect', () => {
  it('shows what is in a message, says that nothing was checked, and lets nothing move the cursor', async () => {
    const shown = file('shown.json', {
      ...messageOf({ claims, grants: [grantOf()], payload: { kind: 'text', text: 'a\u001b[2Jb\nc\\' } }),
      sig: { key: 'nobody', sig: '' },
    });
    const ran = await run('inspect', shown);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toMatch(/^nothing here was checked/);
    for (const line of [
      'signed by nobody',
      '  tests_passed {"suite":"pytest"}',
      '    checkpoint of log.example, size 2',
      `  from person uid:9 (alice) to ${A}, until `,
      '    amount <= 10',
      'payload a\\u001b[2Jb\\nc\\\\',
    ])
      expect(ran.stdout).toContain(`\n${line}`);
    expect(ran.stdout).not.toContain('\u001b');
    expect(JSON.parse((await run('inspect', shown, '--json')).stdout)).toMatchObject({
      sig: { key: 'nobody' },
      payload: { text: 'a\u001b[2Jb\nc\\' },
    });
  });

  it.each([
    [TWICE, /^no message at \/pcm: .+ \(PCM_READ_DUPLICATE\)\n$/],
    [PLAIN, /^no message at \/pcm: the member is missing \(PCM_ENVELOPE\)\n$/],
  ])('tells why %s is no message', async (message, told) => {
    const ran = await run('inspect', message);
    expect([ran.code, ran.stderr]).toEqual([2, '']);
    expect(ran.stdout).toMatch(told);
    expect(JSON.parse((await run('inspect', message, '--json')).stdout)).toMatchObject({ exit_code: 2 });
  });
});

it('pcm schema ref names a document', async () => {
  expect(await run('schema', 'ref', PLAIN)).toEqual({ code: 0, stdout: `${refOf(SCHEMA)}\n`, stderr: '' });
  expect(JSON.parse((await run('schema', 'ref', PLAIN, '--json')).stdout)).toEqual({ ref: refOf(SCHEMA) });
});

it('says in its help that its exit codes are its own', async () => {
  const ran = await run('verify', '--help');
  expect(ran.stdout).toMatch(
    /Exit codes of pcm verify[\s\S]+0 {2}accept +1 {2}reject[\s\S]+3 {2}accept-unproven +2 {2}could not check/,
  );
});
