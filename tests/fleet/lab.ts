import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkerOf } from '../../src/fleet/checker.ts';
import type { Result } from '../../src/fleet/result.ts';
import { type FleetOptions, verifyAll } from '../../src/fleet/verify-all.ts';
import { asObject, buildBundle, bytesOf } from '../support/bundle.ts';
import { pinningProfile, sealedFiles } from '../support/pair.ts';
import { trustDocument, trustKey } from '../support/seal.ts';

export const tempFolder = (): string => mkdtempSync(join(tmpdir(), 'forensictrace-fleet-'));

const COMPROMISED = {
  status: 'revoked',
  revoked_at: '2026-02-01T00:00:00.000Z',
  revocation_reason: 'compromise',
};

const BASE = buildBundle();
const PINNING = pinningProfile(BASE);
type Evidence = ReturnType<typeof sealedFiles>;
const made = new Map<string, Evidence>();

/** A bundle of that incident and its receipt: building and signing takes longer than all the rest of a test. */
export const evidenceOf = (incident: string): Evidence => {
  const [metadata] = BASE.trace_metadata as unknown as object[];
  const bundle = asObject({ ...BASE, trace_metadata: [{ ...metadata, incident_id: incident }] });
  const evidence = made.get(incident) ?? sealedFiles(bundle, PINNING);
  made.set(incident, evidence);
  return evidence;
};

export const writePair = (folder: string, name: string, incident = 'incident-1', receipts = folder): void => {
  mkdirSync(folder, { recursive: true });
  mkdirSync(receipts, { recursive: true });
  const { bundle, receipt } = evidenceOf(incident);
  writeFileSync(join(folder, `${name}.bundle.json`), bundle);
  writeFileSync(join(receipts, `${name}.receipt.json`), receipt);
};

/** A new folder of pairs with those names, each of an incident of its own. */
export const fleetOf = (...names: readonly string[]): string => {
  const folder = tempFolder();
  for (const [at, name] of names.entries()) writePair(folder, name, `incident-${at + 1}`);
  return folder;
};

export const PROFILE = bytesOf(PINNING);
export const TRUST = bytesOf(trustDocument());
export const DISTRUST = bytesOf(trustDocument(trustKey(1, COMPROMISED)));

const EVERYTHING = { signers: [], keys: [], reasons: [] } as const;

/** Verifies in this thread: what a pool would say, without the start of its threads. */
const open: FleetOptions['open'] = async (_, by) => {
  const check = checkerOf(by);
  return { run: async (batch) => batch.map(check), close: async () => {} };
};

/** Verifies a folder, in this thread unless told otherwise. */
export const verifyFolder = (folder: string, options: Partial<FleetOptions> = {}) =>
  verifyAll({
    places: { files: [folder], lists: [] },
    by: { trust: TRUST, profile: { file: 'p.json', bytes: PROFILE } },
    jobs: 2,
    selection: EVERYTHING,
    progress: () => {},
    open,
    ...options,
  });

export const outFile = (name = 'results.ndjson'): string => join(tempFolder(), name);
export const resultsIn = (file: string): readonly Result[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result);
