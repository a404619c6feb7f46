import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { REASONS } from '../../src/base/reasons.ts';
import { type Captured, type Lab, openLab } from './support.ts';

const BYSTANDERS = 'tests/hook/programs/bystanders.mjs';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});

const findings = ({ outcome }: Captured): string[] =>
  (outcome.judgement?.statements ?? [])
    .map(({ reason }) => reason)
    .filter((reason) => REASONS[reason].level === 'finding');

const notesOf = ({ records }: Captured): string => records.trace_metadata[0]?.coverage_notes.join('\n') ?? '';

test('nothing but A2A is recorded, and nobody is accused of what is no dereference', async () => {
  const captured = await lab.capture('bystanders', ['node', BYSTANDERS]);
  expect(captured.code).toBe(0);
  const { exchanges, uri_dereferences, uri_references, candidate_cards, trace_metadata } = captured.records;
  const seen = exchanges.map(({ method, url, rpc_method, attributes }) => [
    attributes?.side,
    method,
    rpc_method ?? new URL(url).pathname,
  ]);
  expect(seen).toEqual([
    ['client', 'POST', 'SendMessage'],
    ['server', 'POST', 'SendMessage'],
    ['client', 'GET', '/.well-known/agent-card.json'],
    ['client', 'POST', 'SendMessage'],
    ['server', 'POST', 'SendMessage'],
  ]);
  expect(candidate_cards.map(({ name }) => name)).toEqual(['worker']);
  expect(uri_dereferences).toEqual([]);
  expect(new Set(uri_references.map(({ uri }) => uri))).toContain('http://example.com/mentioned');
  expect(trace_metadata[0]).toMatchObject({ ended: 'complete', gaps: [] });
  expect(findings(captured)).toEqual([]);
  for (const ending of ['bundle.json', 'journal'])
    expect(readFileSync(`${captured.stem}.${ending}`, 'utf8')).not.toMatch(/unrelated-payload|never-asked-for/);
});

test('a client with a clean environment is seen by its server alone, and the notes say so', async () => {
  const captured = await lab.capture('clean', ['node', BYSTANDERS, 'clean']);
  expect(captured.stdout).toContain('done: alone');
  const alone = captured.records.exchanges.filter(({ message_id }) => message_id === 'alone');
  expect(alone.map(({ attributes }) => attributes?.side)).toEqual(['server']);
  expect(notesOf(captured)).toContain("1 exchanges were seen from the server's side only");
});

/** Writes the program for CommonJS, or with all it imports in one file. */
const built = async (format: 'es' | 'cjs', bundled: boolean): Promise<string> => {
  const name = bundled ? 'bundled.mjs' : 'required.cjs';
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: bundled ? { noExternal: true } : { external: true },
    build: {
      ssr: resolve('tests/hook/programs/sdk-pair.mjs'),
      outDir: lab.folder,
      emptyOutDir: false,
      rollupOptions: { output: { format, entryFileNames: name } },
    },
  });
  return join(lab.folder, name);
};

test('however a program is written, run and bundled, it is captured alike', async () => {
  const programs = [await built('es', true), await built('cjs', false)];
  expect(readFileSync(programs[1]!, 'utf8')).toContain('require("@a2a-js/sdk/server")');
  const captured = await lab.capture('flavours', ['node', 'tests/hook/programs/flavours.mjs', ...programs]);
  expect(captured.code).toBe(0);
  const { exchanges, task_transitions, trace_metadata } = captured.records;
  const flavours = ['module', 'common', 'evaluated', 'evaluated-module', 'typed', 'run', 'worker', 'worker-module'];
  const sides = flavours.map((id) => [
    id,
    ...exchanges.filter(({ message_id }) => message_id === id).map(({ attributes }) => attributes?.side),
  ]);
  expect(sides).toEqual(flavours.map((id) => [id, 'client', 'server']));
  for (const program of ['bundled.mjs', 'required.cjs']) {
    const own = exchanges.filter(({ attributes }) => attributes?.process?.startsWith(`${program} (`));
    const of = (side: string): number => own.filter(({ attributes }) => attributes?.side === side).length;
    // Beside what is served, a client fetches a card for each binding.
    expect([of('server'), of('client')]).toEqual([10, 12]);
    const ids = new Set(own.map(({ exchange_id }) => exchange_id));
    const published = task_transitions.filter(
      ({ observer, exchange_id }) => observer === 'sdk-server' && ids.has(exchange_id ?? ''),
    );
    expect(published).toHaveLength(12);
  }
  expect(trace_metadata[0]).toMatchObject({ ended: 'complete', gaps: [] });
});
