import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startCapture } from '../../src/capture/index.ts';
import type { Records } from '../../src/evidence/bundle.ts';
import { deriveEdges } from '../../src/relate/derive.ts';
import { reportOf } from '../../src/report/report.ts';
import { familiesDigest, profileDigest, settingsDigest } from '../../src/seal/digests.ts';
import { finalize } from '../../src/store/finalize.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { verify } from '../../src/verify/verify.ts';
import { asObject, bytesOf } from '../support/bundle.ts';
import { testSigner, trustDocument } from '../support/seal.ts';
import { followingCapture } from './following.ts';
import { folder } from './lab.ts';

const GENERAL = asObject(JSON.parse(readFileSync('profiles/general.json', 'utf8')));
const child = fileURLToPath(new URL('hanging-child.ts', import.meta.url));

/** A service that answers so far and no further; `asked` resolves when it has. */
const service = async (answer: (response: ServerResponse) => void) => {
  let told: () => void;
  const asked = new Promise<void>((resolve) => {
    told = resolve;
  });
  const server = createServer((_request, response) => {
    answer(response);
    told();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/report`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const NO_ANSWER = { status: null, answer: () => undefined };
const HALF_A_BODY = {
  status: 200,
  answer: (response: ServerResponse) => void response.writeHead(200, { 'content-length': '100' }).write('half'),
};
const A_REDIRECT_WITHOUT_END = {
  status: 302,
  answer: (response: ServerResponse) =>
    void response.writeHead(302, { location: 'http://127.0.0.1/', 'content-length': '9' }).write('m'),
};
const stages = [
  ['no answer', NO_ANSWER],
  ['half a body', HALF_A_BODY],
  ['a redirect without end', A_REDIRECT_WITHOUT_END],
] as const;

const paths = (dir: string) => ({
  bundle: join(dir, 'incident-1.bundle.json'),
  receipt: join(dir, 'incident-1.receipt.json'),
});

const judged = (dir: string) => {
  const { bundle, receipt } = paths(dir);
  const files = { bundle: readFileSync(bundle), receipt: readFileSync(receipt) };
  const documents = { profile: bytesOf(GENERAL), trust: bytesOf(trustDocument()) };
  const outcome = verify({ ...files, ...documents, mode: 'full', otherProfile: false }, nativeCrypto);
  return { report: reportOf(outcome), records: JSON.parse(files.bundle.toString()) as Records };
};

const expectIndicated = (dir: string, status: number | null): void => {
  const { report, records } = judged(dir);
  const [hop] = records.uri_dereferences;
  expect(hop).toMatchObject({ outcome: 'connected', connected_address: '127.0.0.1', status, ended: 'aborted' });
  expect(records.uri_dereferences).toHaveLength(1);
  const [trace] = records.trace_metadata;
  expect(trace!.gaps.map(({ what }) => what).join()).toContain(hop!.dereference_id);
  expect(report.verdict).toBe('FORENSICALLY_INDICATED');
  expect(report.exit_code).toBe(1);
  expect(JSON.stringify(report)).toContain('"ASRF_HOST_OUTSIDE_POLICY"');
};

/** What a service began to answer reaches the capture a moment later. */
const inJournal = (journal: string, status: number | null): Promise<void> =>
  vi.waitFor(() => {
    const hops = readFileSync(journal, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"uri_dereferences"'));
    expect(hops.join()).toContain(`"outcome":"connected","status":${status}`);
  });

let place: ReturnType<typeof folder>;
beforeEach(() => {
  place = folder();
});
afterEach(() => place.remove());

describe('a dereference that a service holds open', () => {
  test.each(stages)('%s: the capture ends first, and the hop is evidence', async (_, { answer, status }) => {
    const { uri, asked, close } = await service(answer);
    const running = startCapture({ dir: place.path, incident_id: 'incident-1', profile_id: 'general' });
    const following = followingCapture(running, uri).catch(() => 'cut');
    await asked;
    await inJournal(running.journalPath, status);
    running.finish({ signer: () => testSigner(), profile: GENERAL });
    close();
    expect(await following).toBe('cut');
    expectIndicated(place.path, status);
    expect(judged(place.path).records.trace_metadata).toMatchObject([{ ended: 'incomplete' }]);
  });

  test.each(stages)('%s: the process is killed, and the hop is evidence', async (_, { answer, status }) => {
    const { uri, asked, close } = await service(answer);
    const running = spawn(process.execPath, ['--import', 'tsx', child, place.path, uri], { stdio: 'inherit' });
    await asked;
    await inJournal(join(place.path, 'incident-1.journal'), status);
    running.kill('SIGKILL');
    await once(running, 'close');
    close();
    finalize({
      journal: join(place.path, 'incident-1.journal'),
      ...paths(place.path),
      signer: () => testSigner(),
      statement: {
        profile_digest: profileDigest(GENERAL, nativeCrypto),
        families_digest: familiesDigest([], nativeCrypto),
        settings_digest: settingsDigest({}, nativeCrypto),
      },
      clock: Date.now,
      derive: deriveEdges,
      crypto: nativeCrypto,
    });
    expectIndicated(place.path, status);
    expect(judged(place.path).records.trace_metadata).toMatchObject([{ ended: 'recovered' }]);
  });

  test('a guard that has not answered: nothing was sent, and nothing is said to have been', async () => {
    const running = startCapture({ dir: place.path, incident_id: 'incident-1', profile_id: 'general' });
    let decide: (isLetOut: boolean) => void = () => undefined;
    let wasAsked = false;
    const guard = () => {
      wasAsked = true;
      return new Promise<boolean>((resolve) => {
        decide = resolve;
      });
    };
    const following = followingCapture(running, 'http://127.0.0.1:9/', guard).catch(() => 'cut');
    await vi.waitFor(() => expect(wasAsked).toBe(true));
    running.finish({ signer: () => testSigner(), profile: GENERAL });
    decide(false);
    expect(await following).toBe('cut');
    const { records, report } = judged(place.path);
    expect(records.uri_dereferences).toMatchObject([
      { outcome: 'not_attempted', ended: null, connected_address: null },
    ]);
    expect(report.verdict).toBe('INCONCLUSIVE');
  });

  test('a guard that fails lets nothing out, and that is no gap', async () => {
    const running = startCapture({ dir: place.path, incident_id: 'incident-1', profile_id: 'general' });
    const guard = () => Promise.reject(new Error('no policy'));
    await expect(followingCapture(running, 'http://127.0.0.1:9/', guard)).rejects.toThrow('no policy');
    running.finish({ signer: () => testSigner(), profile: GENERAL });
    const { records } = judged(place.path);
    expect(records.uri_dereferences).toMatchObject([{ outcome: 'not_attempted', ended: null }]);
    expect(records.trace_metadata).toMatchObject([{ ended: 'complete', gaps: [] }]);
  });
});
