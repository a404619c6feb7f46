import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Role, type Task } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCapture } from '../../src/capture/index.ts';
import type { Records } from '../../src/evidence/bundle.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { verify } from '../../src/verify/verify.ts';
import { asObject, bytesOf } from '../support/bundle.ts';
import { testSigner, trustDocument, trustKey } from '../support/seal.ts';
import { expectAgreement } from './support/differential.ts';
import { describeWithPython, PYTHON } from './support/python.ts';

const PROFILE = new Uint8Array(readFileSync('profiles/general.json'));

let peer: ChildProcess | undefined;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'python-peer-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (peer === undefined || peer.exitCode !== null) return;
  peer.kill('SIGKILL');
  await once(peer, 'exit');
});

/** Starts the Python agent; returns its origin. */
const startPeer = async (version: string): Promise<string> => {
  peer = spawn(PYTHON, ['-B', 'tests/interop/peer.py', version], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const origin of createInterface({ input: peer.stdout! })) return origin;
  throw new Error('the Python agent ended before it listened');
};

const say = (text: string, task?: Task) => ({
  tenant: '',
  message: {
    messageId: `message ${text}`,
    role: Role.ROLE_USER,
    parts: [{ content: { $case: 'text' as const, value: text }, mediaType: '', filename: '', metadata: undefined }],
    taskId: task?.id ?? '',
    contextId: task?.contextId ?? '',
    extensions: [],
    metadata: undefined,
    referenceTaskIds: [],
  },
  configuration: undefined,
  metadata: undefined,
});

describeWithPython('a server of the Python SDK', () => {
  test.each([
    ['1.0', 'SendMessage'],
    ['0.3', 'message/send'],
  ])('speaking A2A %s: what it sent is in the evidence, which verifies', async (version, rpc_method) => {
    const origin = await startPeer(version);
    const capture = startCapture({ dir: folder, incident_id: 'incident-1', profile_id: 'general' });
    const taps = capture.client({ agent: 'caller', legacyCompat: { enabled: version === '0.3' } });
    const client = await new ClientFactory(taps).createFromUrl(origin);
    const asked = (await client.sendMessage(say('hello'))) as Task;
    const greeted = (await client.sendMessage(say('Basel', asked))) as Task;
    const { bundlePath, receiptPath } = capture.finish({
      signer: () => testSigner(),
      profile: asObject(JSON.parse(new TextDecoder().decode(PROFILE))),
    });

    const files = {
      bundle: new Uint8Array(readFileSync(bundlePath)),
      receipt: new Uint8Array(readFileSync(receiptPath)),
      trust: bytesOf(trustDocument(trustKey(1, { valid_from: '2020-01-01T00:00:00.000Z' }))),
    };
    const outcome = verify({ ...files, profile: PROFILE, mode: 'full', otherProfile: false }, nativeCrypto);
    // Integrity and admissibility pass; the wire alone gives no family a record to judge.
    expect(outcome).toMatchObject({ verdict: 'INCONCLUSIVE', refusedAt: null, refusals: [], signatureAccepted: true });
    expect(outcome.judgement!.verdictReasons.map(({ reason }) => reason)).toEqual(['NO_FAMILY_TRIGGERED']);
    expect(await expectAgreement([{ name: version, ...files }])).toEqual({ intact: 1 });

    const records = JSON.parse(new TextDecoder().decode(files.bundle)) as Records;
    expect(records.trace_metadata[0]).toMatchObject({ ended: 'complete', gaps: [] });
    expect(records.candidate_cards).toMatchObject([{ name: 'Greeter', skill_ids: ['greet'], wire_issue: null }]);
    expect(records.endpoints).toMatchObject([{ url: `${origin}/rpc`, protocol: 'JSONRPC', protocol_version: version }]);
    const ids = { response_task_id: asked.id, response_context_id: asked.contextId };
    const sent = { rpc_method, binding: 'JSONRPC', status: 200, ended: 'complete', error_code: null, wire_issue: null };
    expect(records.exchanges).toMatchObject([
      { ...sent, ...ids, message_id: 'message hello', request_task_id: null },
      { ...sent, ...ids, message_id: 'message Basel', request_task_id: asked.id },
    ]);
    expect(records.task_transitions.map(({ state, task_id }) => [state, task_id])).toEqual([
      ['input-required', asked.id],
      ['completed', asked.id],
    ]);
    expect(records.task_transitions[1]!.previous_transition_id).toBe(records.task_transitions[0]!.transition_id);
    const artifacts = records.artifacts.filter(({ payload }) => payload === 'task_artifact');
    expect(artifacts).toMatchObject([
      {
        exchange_id: records.exchanges[1]!.exchange_id,
        artifact_id: 'greeting-1',
        name: 'greeting',
        part_kind: 'text',
        content: { text: 'Hello Basel ✓', encoding: 'utf8', truncated: null },
      },
    ]);
    expect(greeted.artifacts.map(({ artifactId }) => artifactId)).toEqual(['greeting-1']);
  });
});
