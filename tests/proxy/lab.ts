import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REASONS } from '../../src/base/reasons.ts';
import { openWireRecording, type WireRecordingOptions } from '../../src/capture/host/wire-recording.ts';
import { listenOf } from '../../src/capture/proxy/origins.ts';
import { type ProxyPair, readPair } from '../../src/capture/proxy/pair.ts';
import { Proxies } from '../../src/capture/proxy/proxies.ts';
import type { Records } from '../../src/evidence/bundle.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { verify } from '../../src/verify/verify.ts';
import { profileWith } from '../capture/wire/world.ts';
import { bytesOf } from '../support/bundle.ts';
import { testSigner, trustDocument } from '../support/seal.ts';

const open: Server[] = [];

export const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Keeps a server until `closeAll`; returns its origin. */
export const started = async (server: Server): Promise<string> => {
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return originOf(server);
};
export const serve = (handler: RequestListener): Promise<string> => started(createServer(handler));

export const closeAll = (): void => {
  for (const server of open.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
};

export type ProxyLab = {
  /** The origins at which the proxies listen, as `http://127.0.0.1:PORT`, in the order of the targets. */
  readonly at: readonly string[];
  readonly warnings: readonly string[];
  readonly judged: () => Promise<ReturnType<typeof judge>>;
};

export const pairOf = (text: string): ProxyPair => {
  const pair = readPair(text);
  if (typeof pair === 'string') throw new Error(pair);
  return pair;
};

/** Proxies of one recording before each of these `LISTEN=TARGET`, or targets at any port. */
export const openProxies = async (
  targets: readonly string[],
  {
    insecure = false,
    profile = profileWith(),
    ...options
  }: Partial<WireRecordingOptions> & { insecure?: boolean; profile?: ReturnType<typeof profileWith> } = {},
): Promise<ProxyLab> => {
  const warnings: string[] = [];
  const pairs = targets.map((target) => pairOf(target.includes('=') ? target : `0=${target}`));
  const proxies = await Proxies.open({ pairs, insecure, warn: (text) => warnings.push(text) });
  const dir = mkdtempSync(join(tmpdir(), 'proxy-'));
  const recording = openWireRecording({
    dir,
    incident_id: 'incident-1',
    profile_id: 'general',
    observer: 'proxy',
    pinned: new Set(),
    trusted: [],
    notes: proxies.notes,
    passes: (url) => proxies.passes(url),
    ...options,
  });
  proxies.record(recording);
  return {
    at: proxies.standing.map((standing) => `http://${listenOf(standing)}`),
    warnings,
    judged: async () => {
      await proxies.close();
      recording.wire.finish();
      const { bundlePath, receiptPath } = recording.finish({ signer: () => testSigner(), profile });
      const files = { bundle: readFileSync(bundlePath), receipt: readFileSync(receiptPath) };
      rmSync(dir, { recursive: true });
      return judge(files, profile);
    },
  };
};

/** Verifies; the bundle must be admissible, that is, each of its records derives again. */
const judge = (files: { readonly bundle: Uint8Array; readonly receipt: Uint8Array }, profile: object) => {
  const documents = { profile: bytesOf(profile), trust: bytesOf(trustDocument()) };
  const outcome = verify({ ...files, ...documents, mode: 'full', otherProfile: false }, nativeCrypto);
  if (outcome.refusals.length > 0) throw new Error(JSON.stringify(outcome.refusals));
  const records = JSON.parse(new TextDecoder().decode(files.bundle)) as Records;
  const { families = [], statements = [] } = outcome.judgement ?? {};
  return {
    verdict: outcome.verdict,
    records,
    trace: records.trace_metadata[0]!,
    status: (family: string) => families.find((row) => row.family === family)?.status,
    /** `REASON id` of each finding. */
    findings: statements
      .filter(({ reason }) => REASONS[reason].level === 'finding')
      .map(({ reason, affected }) => `${reason} ${affected.id}`),
    reasons: statements.map(({ reason }) => reason),
  };
};
