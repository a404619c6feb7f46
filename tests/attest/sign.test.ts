import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.ts';
import { canonicalOf, type Members, sha256Text } from '../pcm/lab.ts';
import { REF, refusalOf, sharedLab } from './lab.ts';

const ARGS = { amount: 12_000, order: 81 };

const shared = sharedLab();

const without =
  (name: string) =>
  (body: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));

describe('pcm_sign', () => {
  it('signs as the run that calls, and writes down that it did without the args', async () => {
    const lab = shared();
    const run = await lab.run();
    const message = await run.send('token:b', REF, ARGS, { payload: { kind: 'text', text: 'please' } });
    const judged = lab.judge(message);
    expect([judged.verdict, judged.signature.ok, judged.reasons]).toEqual(['accept', true, []]);
    expect(message.from).toEqual({ agent: 'token:a', run: run.id, tenant: 'default' });
    const [begun, sent] = await run.read();
    expect(begun).toMatchObject({ type: 'run.start', run_seq: 0, data: { agent: 'token:a', name: "a's run" } });
    expect(sent).toMatchObject({ type: 'ext', source: 'signer', run_seq: 1 });
    expect(sent!.data).toEqual({
      name: 'pcm.sent',
      message: sha256Text(canonicalOf(message as Members)),
      id: message.id,
      to: 'token:b',
      intent: REF,
    });
  });

  const sign = async (change: (body: JsonObject) => JsonObject): Promise<string> => {
    const run = await shared().run();
    const body = {
      from: { agent: run.agent, run: run.id, tenant: run.tenant },
      to: { agent: 'token:b' },
      intent: { type: REF, args: ARGS },
    };
    const refusal = await refusalOf(run.call('pcm_sign', { body: change(body) }));
    expect((await run.read()).map(({ type }) => type)).toEqual(['run.start']);
    return refusal.replace(run.id, 'RUN');
  };
  const ONLY = "forbidden: the signer signs only as the calling run's own agent (token:a, run RUN, tenant default)";
  it.each<[string, (body: JsonObject) => JsonObject, string]>([
    ['as another agent', (body) => ({ ...body, from: { ...(body.from as JsonObject), agent: 'token:b' } }), ONLY],
    ['as another run', (body) => ({ ...body, from: { ...(body.from as JsonObject), run: '0'.repeat(32) } }), ONLY],
    ['as another tenant', (body) => ({ ...body, from: { ...(body.from as JsonObject), tenant: 'other' } }), ONLY],
    ['with more in from', (body) => ({ ...body, from: { ...(body.from as JsonObject), as: 'x' } }), ONLY],
    ['without from', without('from'), ONLY],
    [
      'with a time of its own',
      (body) => ({ ...body, ts: '2026-11-30T12:00:00.000000Z' }),
      'invalid_request: /body/ts: the agent gives from, to, intent, claims, grants, payload, and the signer the rest',
    ],
    [
      'with no schema named',
      (body) => ({ ...body, intent: { type: 'refund', args: {} } }),
      'invalid_request: /body/intent/type: an intent is name@sha256:<64 lower-case hex digits>',
    ],
    ['to nobody', without('to'), 'invalid_request: /body/to: the member is missing'],
    [
      'with a number that no receiver reads',
      (body) => ({ ...body, payload: { kind: 'data', data: 1e16 + 0.5 } }),
      'invalid_request: /body/payload/data: not an integer within 2^53 - 1 or a finite double',
    ],
  ])('refuses to sign %s', async (_, change, expected) => {
    expect(await sign(change)).toContain(expected);
  });
});
