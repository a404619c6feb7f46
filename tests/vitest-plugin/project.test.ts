import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Ran } from '../cli/run.ts';
import { type Bundle, bundlesOf, type Desk, openDesk, run, verdictOf, verified, vitest } from './support.ts';

type Result = { readonly fullName: string; readonly status: string; readonly failureMessages: readonly string[] };

let desk: Desk;
let ran: Ran;
let results: readonly Result[];
let bundleOf: (name: string) => Bundle;

beforeAll(async () => {
  desk = await openDesk();
  const [report, opened] = [join(desk.folder, 'report.json'), join(desk.folder, 'opened')];
  const spy = pathToFileURL(resolve('tests/vitest-plugin/project/opened.mjs')).href;
  const env = { ...desk.env, OPENED: opened, NODE_OPTIONS: `--import ${spy}` };
  ran = await run(vitest('--reporter=default', '--reporter=json', `--outputFile.json=${report}`), env);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: readonly { readonly assertionResults: readonly Result[] }[];
  };
  results = testResults.flatMap(({ assertionResults }) => assertionResults);
  bundleOf = bundlesOf(desk.env.OUT);
}, 120_000);

const resultOf = (name: string): { readonly status: string; readonly told: string } => {
  const { status, failureMessages } = results.find(({ fullName }) => fullName.trim() === name)!;
  return { status, told: failureMessages.join('\n') };
};

describe('an unmodified pair of agents', () => {
  test('whose agent is redirected outside policy: the assertion and verify name the dereference', async () => {
    const evidence = bundleOf('pair.test.mjs-a-page-that-moved');
    const [, moved] = evidence.records.uri_dereferences;
    expect(moved).toMatchObject({ hop: 1, connected_address: '127.0.0.2', status: 200 });
    const { status, told } = resultOf('a page that moved');
    expect(status).toBe('failed');
    for (const text of ['FORENSICALLY_INDICATED', 'ASRF_HOST_OUTSIDE_POLICY', moved!.dereference_id, '127.0.0.2'])
      expect(told).toContain(text);
    expect(ran.stdout + ran.stderr).toContain(`evidence: ${evidence.bundle}`);
    const { code, stdout } = await verified(evidence, desk);
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining(moved!.dereference_id) });
  });

  test('with an allowed page is consistent', async () => {
    expect(resultOf('an allowed page').status).toBe('passed');
    const evidence = bundleOf('pair.test.mjs-an-allowed-page');
    expect(evidence.records.uri_dereferences).toMatchObject([{ status: 200, connected_address: '127.0.0.1' }]);
    expect(await verified(evidence, desk)).toMatchObject({ code: 0 });
  });
});

describe('tests that run at the same time on one agent', () => {
  const PAGES = ['page-1', 'page-2', 'page-3'];

  test.each(['here', 'apart'])('each have what is theirs and nothing else: an agent %s', (where) => {
    for (const page of PAGES) {
      expect(resultOf(`an agent ${where} reads ${page}`)).toEqual({ status: 'passed', told: '' });
      const evidence = bundleOf(`shared.test.mjs-an-agent-${where}-reads-${page}`);
      const { trace_metadata, exchanges, uri_dereferences } = evidence.records;
      expect(trace_metadata).toMatchObject([{ ended: 'complete', gaps: [] }]);
      expect(new Set(exchanges.map(({ attributes }) => attributes?.side))).toEqual(new Set(['client', 'server']));
      expect(exchanges).toHaveLength(2);
      for (const { request_body } of exchanges) expect(request_body?.text).toContain(`/${where}-${page}`);
      expect(uri_dereferences.map(({ uri }) => uri)).toEqual([expect.stringContaining(`/${where}-${page}`)]);
    }
    expect(resultOf(`an agent ${where} is led astray`).status).toBe('passed');
    const astray = bundleOf(`shared.test.mjs-an-agent-${where}-is-led-astray`);
    expect(astray.records.uri_dereferences).toMatchObject([{ hop: 0 }, { hop: 1, connected_address: '127.0.0.2' }]);
    expect(verdictOf(astray, desk)).toBe('FORENSICALLY_INDICATED');
  });

  test('know the agent by its card, that was fetched before they began', () => {
    const { exchanges, candidate_cards } = bundleOf('shared.test.mjs-an-agent-apart-reads-page-1').records;
    expect(exchanges.map(({ server_agent }) => server_agent)).toEqual(['reader', 'reader']);
    expect(candidate_cards).toEqual([]);
  });
});

describe('a test that fails', () => {
  test('by what is no matter of forensics tells its bundle as well', () => {
    const evidence = bundleOf('pair.test.mjs-a-failure-of-its-own');
    expect(ran.stdout + ran.stderr).toContain(`evidence: ${evidence.bundle}`);
    expect(verdictOf(evidence, desk)).toBe('FORENSICALLY_CONSISTENT');
  });

  test('is one that asks for a verdict and did nothing that could be judged', () => {
    const { status, told } = resultOf('no agent at all');
    expect(status).toBe('failed');
    expect(told).toContain('no A2A exchange was captured');
  });

  test('is one that goes on after its verdict', () => {
    const { status, told } = resultOf('one more message behind the verdict');
    expect(status).toBe('failed');
    expect(told).toMatch(/A2A calls of this test came after its capture had ended/);
    expect(bundleOf('pair.test.mjs-one-more-message-behind-the-verdict').records.uri_dereferences).toHaveLength(1);
  });
});

test('the recorder is the only process that opens the key', () => {
  const opened = readFileSync(join(desk.folder, 'opened'), 'utf8').trim().split('\n');
  const recorder = `${resolve('dist/src/cli/main.js')} capture --per-test`;
  expect(opened.filter((process) => !process.startsWith(recorder))).toEqual([]);
  expect(opened.length).toBeGreaterThan(0);
});

test('the run ends with the list of its bundles', () => {
  const told = ran.stdout + ran.stderr;
  expect(results).toHaveLength(13);
  expect(told.match(/^\S+\.test\.mjs-\S+ +complete +exchanges \d+, dereferences \d+$/gm)).toHaveLength(13);
});
