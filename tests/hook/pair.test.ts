import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { profileWith } from '../capture/wire/world.ts';
import type { Captured, Lab } from './support.ts';
import { openLab } from './support.ts';

const program = (name: string): string => join('tests', 'hook', 'programs', name);
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => resolve(port));
    });
  });

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});

const statusOf = ({ outcome }: Captured, family: string) =>
  outcome.judgement?.families.find((row) => row.family === family)?.status;
const findingsOf = ({ outcome }: Captured) =>
  (outcome.judgement?.statements ?? []).filter(({ reason }) => /^(AS|CC|CO|HOTF|ASRF|ATSI)_/.test(reason));

describe('an unmodified agent that reads what a message names', () => {
  const captured = async (path: 'redirect' | 'allowed') => {
    const port = await freePort();
    const profile = join(lab.folder, `${path}.json`);
    writeFileSync(profile, JSON.stringify(profileWith({ asrf: { origins: [`http://127.0.0.1:${port}`] } })));
    return lab.capture(path, ['node', program('agent-test.mjs'), path], { profile, env: { SITE_PORT: String(port) } });
  };

  test('is sent on to a service outside policy: the dereference is named', async () => {
    const run = await captured('redirect');
    expect([run.code, run.stdout]).toEqual([0, 'agent test passed\n']);
    const [first, second] = run.records.uri_dereferences;
    expect(second).toMatchObject({ redirect_of: first?.dereference_id, hop: 1, agent: 'reader', status: 200 });
    expect(findingsOf(run).map(({ reason, affected }) => [reason, affected.id])).toEqual([
      ['ASRF_HOST_OUTSIDE_POLICY', second?.dereference_id],
    ]);
  });

  test('reads an allowed page: consistent', async () => {
    const run = await captured('allowed');
    expect(run.records.uri_dereferences).toHaveLength(1);
    expect([statusOf(run, 'ASRF'), run.outcome.verdict]).toEqual(['CONSISTENT', 'FORENSICALLY_CONSISTENT']);
  });
});

describe('three agents that hand a task around, of which nothing on the wire joins the hops', () => {
  test('in one process they are joined by the asynchronous context, and the loop is indicated', async () => {
    const run = await lab.capture('loop', ['node', program('loop.mjs')]);
    const [first, ...others] = run.records.routing_events;
    expect(first).toMatchObject({ predecessor: 'root', source_agent: 'a', destination_agent: 'b' });
    expect(others.map(({ joined_by }) => joined_by)).toEqual(Array(11).fill('async_context'));
    expect(statusOf(run, 'CO')).toBe('INDICATED');
  });

  test('across processes the loop is not joined: inconclusive', async () => {
    const run = await lab.capture('spread', ['node', program('loop.mjs'), 'spread']);
    expect(run.records.routing_events).toHaveLength(12);
    expect([statusOf(run, 'CO'), run.outcome.verdict]).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
  });
});

test('a server that a shell ends by a signal leaves no gap', async () => {
  const served = `node ${program('server-alone.mjs')} ${join(lab.folder, 'url')} & server=$!`;
  const asked = `node ${program('client-alone.mjs')} ${join(lab.folder, 'url')}`;
  const run = await lab.capture('shell', [
    'sh',
    '-c',
    `${served}; ${asked}; code=$?; kill $server; wait $server; exit $code`,
  ]);
  expect(run.code).toBe(0);
  expect(run.records.trace_metadata[0]).toMatchObject({ ended: 'complete', gaps: [] });
  expect(run.records.trace_metadata[0]?.coverage_notes.join('\n')).toContain('ended without a word');
  expect(run.records.exchanges.filter(({ rpc_method }) => rpc_method === 'SendMessage')).toHaveLength(2);
});
