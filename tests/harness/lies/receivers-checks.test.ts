import { expect, test } from 'vitest';
import { ap2 } from '../../../harness/lies/receivers/ap2.ts';
import { envelopeSignature } from '../../../harness/lies/receivers/envelope.ts';
import { httpSignature } from '../../../harness/lies/receivers/http-signature.ts';
import { sha256 } from '../../../harness/lies/receivers/jcs.ts';
import { compact, headerOf, type Jws, type Members, payloadOf, signJws } from '../../../harness/lies/receivers/jws.ts';
import { type Key, keyOf } from '../../../harness/lies/receivers/keys.ts';
import { type Context, decide, type Model } from '../../../harness/lies/receivers/receiver.ts';
import { scitt } from '../../../harness/lies/receivers/scitt.ts';
import { signatureOnly } from '../../../harness/lies/receivers/signature-only.ts';
import { signedCard } from '../../../harness/lies/receivers/signed-card.ts';
import { ISSUER } from '../../../harness/lies/receivers/verifiable-intent.ts';
import { verifiableIntent } from '../../../harness/lies/receivers/verifiable-intent-rules.ts';
import { A, bytesOf, LOG } from '../../pcm/lab.ts';
import { approved, contextOf, granted, tested, unsigned } from './receivers-support.ts';

const [agent, other] = [keyOf('agent', A), keyOf('agent', 'uid:8')];
const [platform, alice] = [keyOf('platform', LOG.name), keyOf('person', 'alice')];

const resigned = (jws: Jws, key: Key, payload: Members = {}, header: Members = {}): Jws =>
  signJws(JSON.stringify({ ...payloadOf(jws), ...payload }), { ...headerOf(jws), ...header }, key);
const bindingOf = (jws: Jws): string => sha256(compact(jws)).toString('base64url');
const mandate = (jws: Jws, changes: Members): Members => ({
  mandate: { ...(payloadOf(jws).mandate as Members), ...changes },
});

type Row<T> = readonly [id: string, artefacts: T, changes?: Partial<Context>];

/** Each check of a model decides what breaks it alone, in an order of its own, and what breaks nothing is accepted. */
const holds = <T>(model: Model<T>, honest: readonly T[], rows: readonly Row<T>[]): void => {
  for (const artefacts of honest)
    expect(decide(model, artefacts, contextOf())).toEqual({ accepted: true, decidedBy: null });
  const decided = rows.map(([, artefacts, changes]) => decide(model, artefacts, contextOf(changes)).decidedBy);
  expect(decided).toEqual(rows.map(([id]) => id));
  expect(new Set(decided)).toEqual(new Set(model.rules.map(({ id }) => id)));
};

test('signature only', () => {
  const of = (message: unknown) => signatureOnly.present(bytesOf(message), contextOf());
  const { sig } = tested as { sig: Members };
  holds(
    signatureOnly,
    [of(tested)],
    [
      ['readable', of('{')],
      ['readable', of({ ...tested, sig: null })],
      ['key', of({ ...tested, sig: { ...sig, key: 'log.example+00000000' } })],
      ['signature', of(unsigned)],
      ['signature', of({ ...tested, nonce: '2'.repeat(32) })],
    ],
  );
});

test('a signed Agent Card', () => {
  const card = signedCard.present(bytesOf(tested), contextOf());
  const [signature] = card.signatures!;
  const withHeader = (header: Members) => ({
    ...card,
    signatures: [{ ...signature!, protected: Buffer.from(JSON.stringify(header)).toString('base64url') }],
  });
  holds(
    signedCard,
    [card],
    [
      ['card-signature-present', { ...card, signatures: [] }],
      ['card-header', withHeader({ alg: 'none', kid: agent.id })],
      ['card-key', withHeader({ alg: 'EdDSA', kid: 'somebody' })],
      ['card-verifies', { ...card, name: 'uid:8' }],
    ],
  );
});

test('a signed envelope', () => {
  const envelope = envelopeSignature.present(bytesOf(tested), contextOf());
  const again = (key: Key, header: Members) => signJws(bytesOf(tested), { ...headerOf(envelope), ...header }, key);
  holds(
    envelopeSignature,
    [envelope],
    [
      ['envelope-header', again(agent, { alg: 'none' })],
      ['envelope-key', again(platform, { kid: platform.id })],
      ['envelope-signature', again(other, {})],
      ['envelope-audience', again(agent, { aud: 'uid:3' })],
    ],
  );
});

test('RFC 9421 as ANP uses it', () => {
  const request = httpSignature.present(bytesOf(tested), contextOf());
  const earlier = [{ bytes: bytesOf(tested), now: contextOf().now }];
  holds(
    httpSignature,
    [request],
    [
      ['http-format', { ...request, signature: new Uint8Array() }],
      ['http-digest', { ...request, body: bytesOf(granted) }],
      ['http-did', { ...request, keyid: 'did:wba:elsewhere.example:uid:1#key-1' }],
      ['http-coverage', { ...request, covered: ['@method', '@target-uri'] }],
      ['http-signature', { ...request, nonce: 'another' }],
      ['http-signature', { ...request, target: 'https://agents.example/uid%3A3' }],
      ['http-target', request, { me: 'uid:3' }],
      ['http-window', request, { now: '2026-11-30T12:05:11.000000Z' }],
      ['http-window', request, { now: '2026-11-30T11:55:09.000000Z' }],
      ['http-replay', request, { earlier }],
    ],
  );
});

test('SCITT receipts', () => {
  const statements = scitt.present(bytesOf(tested), contextOf())!;
  const with0 = (changes: Partial<(typeof statements)[number]>) => [{ ...statements[0]!, ...changes }, statements[1]!];
  const { tree, statement } = statements[0]!;
  holds(
    scitt,
    [statements, []],
    [
      ['scitt-readable', null],
      ['scitt-receipt', with0({ tree: null })],
      ['scitt-service', with0({ tree: { ...tree!, root: Buffer.alloc(32), signed: tree!.signed.replace('2', '3') } })],
      ['scitt-service', with0({ tree: { ...tree!, origin: 'other.example' } })],
      ['scitt-inclusion', with0({ entry: Buffer.alloc(32) })],
      ['scitt-inclusion', with0({ index: 1 })],
      ['scitt-inclusion', with0({ path: [] })],
      ['scitt-statement', with0({ statement: resigned(statement, other) })],
    ],
  );
});

test('AP2 mandates', () => {
  const [bound, final] = [granted, approved].map((message) => ap2.present(bytesOf(message), contextOf())!);
  const [{ open, closed }, direct] = [bound!.mandates[0]!, final!.mandates[0]!];
  const under = (changedOpen: Jws, payload: Members = {}, key = agent) => ({
    ...bound!,
    mandates: [{ open: changedOpen, closed: resigned(closed, key, { sd_hash: bindingOf(changedOpen), ...payload }) }],
  });
  holds(
    ap2,
    [bound!, final!, { ...bound!, isNeeded: false, mandates: [] }],
    [
      ['ap2-readable', null],
      ['ap2-present', { ...bound!, mandates: [] }],
      ['ap2-vct', under(open!, { vct: 'mandate.intent.2' })],
      ['ap2-provider', under(resigned(open!, agent))],
      ['ap2-provider', { ...final!, mandates: [{ ...direct, closed: resigned(direct.closed, agent) }] }],
      ['ap2-holder', under(open!, {}, other)],
      ['ap2-binding', under(open!, { sd_hash: '' })],
      ['ap2-audience', under(open!, { aud: 'uid:3' })],
      ['ap2-expiry', under(resigned(open!, platform, { exp: 0 }))],
      ['ap2-unchanged', under(open!, { intent: 'another' })],
      ['ap2-constraints', under(open!, { args: { amount: 11 } })],
      ['ap2-constraints', under(resigned(open!, platform, { constraints: [{ field: 'amount', op: '~', value: 5 }] }))],
      [
        'ap2-disclosed',
        { ...final!, mandates: [{ ...direct, closed: resigned(direct.closed, platform, { args: undefined }) }] },
      ],
      ['ap2-request', under(open!, { checkout_hash: '' })],
      ['ap2-request', { ...final!, tool: 'refund' }],
    ],
  );
});

test('Verifiable Intent', () => {
  const [bound, final] = [granted, approved].map((message) => verifiableIntent.present(bytesOf(message), contextOf())!);
  const [{ l1, l2, l3 }, direct] = [bound!.chains[0]!, final!.chains[0]!];
  type Changes = { l1?: Jws; l2?: Jws; l3?: Members; header?: Members; key?: Key };
  const chain = ({ l3: payload = {}, header = {}, key = agent, ...given }: Changes) => {
    const first = given.l1 ?? l1;
    const second = given.l2 ?? resigned(l2, alice, { sd_hash: bindingOf(first) });
    const third = resigned(l3!, key, { sd_hash: bindingOf(second), ...payload }, header);
    return { ...bound!, chains: [{ l1: first, l2: second, l3: third }] };
  };
  const earlier = [{ bytes: bytesOf(granted), now: contextOf().now }];
  holds(
    verifiableIntent,
    [bound!, final!, chain({}), { ...bound!, isNeeded: false, chains: [] }],
    [
      ['vi-readable', null],
      ['vi-present', { ...bound!, chains: [] }],
      ['vi-l1-signature', chain({ l1: resigned(l1, alice) })],
      ['vi-l1-expiry', chain({ l1: resigned(l1, ISSUER, { exp: 0 }) })],
      ['vi-l1-vct', chain({ l1: resigned(l1, ISSUER, { vct: '' }) })],
      ['vi-l2-signature', chain({ l2: resigned(l2, agent) })],
      ['vi-l2-binding', chain({ l2: resigned(l2, alice, { sd_hash: '' }) })],
      ['vi-l2-typ', chain({ l2: resigned(l2, alice, {}, { typ: 'kb-sd-jwt' }) })],
      ['vi-l2-time', chain({ l2: resigned(l2, alice, { exp: 0 }) })],
      ['vi-l2-time', chain({ l2: resigned(l2, alice, { iat: 4e9 }) })],
      ['vi-l2-cnf', chain({ l2: resigned(l2, alice, mandate(l2, { cnf: undefined })) })],
      ['vi-vct', chain({ l2: resigned(l2, alice, mandate(l2, { vct: 'mandate.other' })) })],
      ['vi-l3-signature', chain({ key: other })],
      ['vi-l3-typ', chain({ header: { typ: 'kb-sd-jwt+kb' } })],
      ['vi-l3-binding', chain({ l3: { sd_hash: '' } })],
      ['vi-l3-cnf', chain({ l3: { cnf: { kid: other.id } } })],
      ['vi-l3-time', chain({ l3: { exp: 0 } })],
      ['vi-l3-time', chain({ l3: { exp: 4e9 } })],
      ['vi-l3-audience', chain({ l3: { aud: 'uid:3' } })],
      ['vi-l3-constraints', chain({ l3: mandate(l3!, { args: { amount: 11 } }) })],
      ['vi-l3-constraints', chain({ l3: mandate(l3!, { intent: 'another' }) })],
      ['vi-once', bound!, { earlier }],
      [
        'vi-disclosed',
        { ...final!, chains: [{ ...direct, l2: resigned(direct.l2, alice, mandate(direct.l2, { args: undefined })) }] },
      ],
      ['vi-request', chain({ l3: mandate(l3!, { checkout_hash: '' }) })],
      ['vi-request', { ...final!, tool: 'refund' }],
    ],
  );
});
