import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SignerClient } from '../../src/attest/client/client.ts';
import { METHODS } from '../../src/attest/methods/methods.ts';
import { Refused } from '../../src/attest/refused.ts';
import type { JsonObject, JsonValue } from '../../src/base/json-value.ts';
import { inSeconds, refusalOf, sharedLab, type Who } from './lab.ts';

const shared = sharedLab({ actions: [{ does: 'http', name: 'WebFetch', hosts: ['nowhere.example'], timeout_s: 1 }] });

/** What programs trip over, between values of every kind. */
const awkward = fc.oneof(
  fc.constantFrom('', '\0', '__proto__', 'constructor', '../..', '\ud83d\ude00', 'x'.repeat(300), "'; --", '$(id)'),
  fc.constantFrom(-1, 0, 1.5, 2 ** 53 - 1, -0),
  fc.jsonValue({ maxDepth: 3 }),
) as fc.Arbitrary<JsonValue>;
const NAMES = [
  'run',
  'run_token',
  'call',
  'tool',
  'args',
  'ok',
  'approval_id',
  'decision',
  'kind',
  'host',
  'port',
  'connections',
  'denied',
  'state',
  'body',
  'parent',
  'subject',
  'caveats',
  'expires_at',
  'delegable',
  'run_seqs',
  'from',
  'limit',
  'ttl_s',
  'name',
] as const;

describe('no call', () => {
  it.each<Who>(['a', 'alice', 'ops', 'eyes', 'kernel', 'bot'])(
    'of %s finds a bug, whatever its params are',
    async (who) => {
      const client = await shared().client(who);
      const run = await shared().run('a');
      const good: JsonObject = {
        run: run.id,
        call: 'c',
        tool: 'ls',
        args: {},
        ok: true,
        expires_at: inSeconds(60),
        body: {},
        parent: {},
      };
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...METHODS.keys()),
          fc.dictionary(fc.constantFrom(...NAMES), awkward, { maxKeys: 6 }),
          fc.subarray(Object.keys(good)),
          async (method, wild, kept) => {
            const params = { ...wild, ...Object.fromEntries(kept.map((name) => [name, good[name]!])) };
            const refused = await client.call(method, params).then(
              () => null,
              (error: unknown) => error,
            );
            if (refused !== null) expect(refused).toBeInstanceOf(Refused);
            expect((refused as Refused | null)?.code).not.toBe('unavailable');
          },
        ),
        { numRuns: 150 },
      );
      expect(shared().bugs).toEqual([]);
    },
  );
});

it('an identity has 128 connections, and another is let in beside them', async () => {
  const clients: SignerClient[] = [];
  try {
    for (let i = 0; i < 128; i++) clients.push(await shared().connect('b'));
    expect(await refusalOf(shared().connect('b'))).toBe('quota_exceeded: token:b has 128 connections: close one first');
    clients.push(await shared().connect('nobody'));
    clients[0]!.close();
    while (
      await shared()
        .connect('b')
        .then(
          (client) => void clients.push(client),
          () => true,
        )
    );
  } finally {
    for (const client of clients) client.close();
  }
  expect(clients).toHaveLength(130);
});
