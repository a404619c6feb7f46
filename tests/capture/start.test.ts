import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCapture } from '../../src/capture/index.ts';
import { asObject } from '../support/bundle.ts';
import { testSigner } from '../support/seal.ts';
import { folder } from './lab.ts';

let place: ReturnType<typeof folder>;
beforeEach(() => {
  place = folder();
});
afterEach(() => place.remove());

const start = (over: Partial<Parameters<typeof startCapture>[0]> = {}) =>
  startCapture({ dir: place.path, incident_id: 'incident-1', profile_id: 'p', ...over });
const profile = asObject({ profile_id: 'p' });

test.each([
  { incident_id: '../elsewhere' },
  { incident_id: '' },
  { profile_id: 'a b' },
  { bodyLimit: 13 * 1024 * 1024 },
])('is refused with %j before any file is made', (over) => {
  expect(() => start(over)).toThrow(RangeError);
  expect(readdirSync(place.path)).toEqual([]);
});

test('a capture of the same name never overwrites another', () => {
  start().stop();
  expect(() => start()).toThrow(/^capture incident-1 exists already in .*\/: choose another name or folder$/);
});

test('a signer that is not there yet can be given later; after that nothing is recorded', () => {
  const running = start();
  running.observe.capabilityUse({ capability: 'c', basis: 'executed' });
  const missing = () => {
    throw new Error('no key');
  };
  expect(() => running.finish({ signer: missing, profile })).toThrow('no key');
  expect(running.observe.capabilityUse({ capability: 'late', basis: 'executed' })).toBeNull();
  const { bundle, receiptPath } = running.finish({ signer: () => testSigner(), profile });
  expect(bundle.capability_invocations.map(({ capability }) => capability)).toEqual(['c']);
  expect(bundle.trace_metadata).toMatchObject([{ ended: 'complete' }]);
  expect(existsSync(receiptPath)).toBe(true);
});

test('another profile than the one captured for is refused, and the capture goes on', () => {
  const running = start();
  expect(() => running.finish({ signer: () => testSigner(), profile: asObject({ profile_id: 'q' }) })).toThrow(
    RangeError,
  );
  expect(running.observe.capabilityUse({ capability: 'c', basis: 'executed' })).not.toBeNull();
  running.stop();
});

test('what the application says it watches is covered though nothing was seen, and the rest is not', () => {
  const running = start({ watches: ['routing'], notes: ['no view of the gateway'] });
  running.middleware({ agent: null, binding: 'JSONRPC' });
  const { bundle } = running.finish({ signer: () => testSigner(), profile });
  expect(bundle.trace_metadata).toMatchObject([
    { coverage: { routing: true, server_wire: true, client_wire: false, artifact_render: false } },
  ]);
  expect(bundle.trace_metadata[0]!.coverage_notes).toContain('no view of the gateway');
  expect(readdirSync(place.path)).toContain('incident-1.journal');
  expect(running.journalPath).toBe(join(place.path, 'incident-1.journal'));
});
