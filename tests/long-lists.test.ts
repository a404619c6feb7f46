import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cardFields } from '../src/evidence/wire/card.ts';
import { readTrust } from '../src/seal/trust.ts';
import { nativeCrypto } from '../src/store/native-crypto.ts';
import { readProfile } from '../src/verify/documents.ts';
import { bodyOf } from './evidence/wire/support.ts';
import { bytesOf } from './support/bundle.ts';

/** Arguments of a call stand on the stack, which ends at some hundred thousand: a list that a stranger made is never spread over them. */

const COUNT = 150_000;

describe('a list of a stranger’s making', () => {
  it('is spread over the arguments of no call in the sources', () => {
    const spread = /\.(?:push|unshift|concat|add)\(\.\.\.|Math\.(?:max|min)\(\.\.\./;
    const found = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) => spread.test(readFileSync(join('src', name), 'utf8')));
    expect(found).toEqual([]);
  });

  it('may be the interfaces of a card', () => {
    const url = { url: 'https://a.example/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
    const card = { name: 'a', supportedInterfaces: Array.from({ length: COUNT }, () => url), skills: [] };
    expect(cardFields(bodyOf(JSON.stringify(card))).interfaces?.length).toBe(COUNT);
  });

  it('may be the faults of a trust store and of a profile', () => {
    const unknown = Object.fromEntries(Array.from({ length: COUNT }, (_, at) => [`m${at}`, 0]));
    const trust = readTrust(bytesOf({ format: 'a2aft.trust.v1', signers: [], ...unknown }), nativeCrypto);
    const signers = Array.from({ length: COUNT }, () => ({ signer_id: 'x', keys: [] }));
    const twice = readTrust(bytesOf({ format: 'a2aft.trust.v1', signers }), nativeCrypto);
    const general = JSON.parse(readFileSync('profiles/general.json', 'utf8'));
    const required_families = Array.from({ length: COUNT }, () => 'XX');
    const profile = readProfile(bytesOf({ ...general, required_families }));
    const counts = [trust, twice, profile].map((read) => (read.ok ? 0 : read.refusals.length));
    expect(counts).toEqual([COUNT, COUNT - 1, COUNT]);
  });
});
