import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runDemo, withVenue } from '../../harness/demo/demo.ts';
import { type Run, runPlay, type Venue, verifyRun } from '../../harness/demo/run.ts';
import { PLAYS, type Play } from '../../harness/demo/scenarios.ts';
import { FAMILIES, type Family } from '../../src/base/reasons/entry.ts';
import type { AnyRecord, Bundle } from '../../src/evidence/bundle.ts';
import { COLLECTION_INFO, COLLECTIONS } from '../../src/evidence/collections.ts';
import { RELATIONS, type Relation } from '../../src/evidence/relations.ts';
import { graphOf } from '../../src/relate/graph.ts';
import { type Element, isEdge, type Node } from '../../src/relate/nodes.ts';
import type { Report } from '../../src/report/model.ts';
import { RULES } from '../../src/rules/registry.ts';
import type { Rule } from '../../src/rules/rule.ts';
import { judge } from '../../src/verify/judge.ts';
import { watchConnections } from './connections.ts';

type Played = {
  readonly run: Run;
  readonly bundle: Bundle;
  readonly reports: Record<'full' | 'root-only' | 'records-only', Report>;
};

const played = new Map<string, Played>();
const folder = mkdtempSync(join(tmpdir(), 'forensictrace-demo-test-'));
const connections = watchConnections();
let venue: Venue;

const play = async (one: Play): Promise<Played> => {
  const run = await runPlay(one, venue);
  const bundle = JSON.parse(readFileSync(run.evidence.bundle, 'utf8')) as Bundle;
  const reports = {
    full: verifyRun(run, venue),
    'root-only': verifyRun(run, venue, 'root-only'),
    'records-only': verifyRun(run, venue, 'records-only'),
  };
  return { run, bundle, reports };
};

beforeAll(() =>
  withVenue(folder, async (given) => {
    venue = given;
    for (const one of PLAYS) played.set(one.name, await play(one));
  }),
);
afterAll(() => {
  connections.stop();
  rmSync(folder, { recursive: true });
});

const of = (family: Family, side: Play['side']): Played =>
  [...played.values()].find(({ run }) => run.play.scenario.family === family && run.play.side === side)!;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test.each(FAMILIES)(
  'the condition of %s gives its one finding, and no other family is indicated or inconclusive',
  (family) => {
    const { full } = of(family, 'condition').reports;
    expect(full.verdict).toBe('FORENSICALLY_INDICATED');
    expect(full.findings.map(({ reason }) => reason)).toEqual([venue.documents.definition(family).expected_finding]);
    const statuses = full.families.filter((one) => one.family !== family).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'INDICATED' || status === 'INCONCLUSIVE')).toEqual([]);
    expect(full.inconclusive).toEqual([]);
  },
);

test.each(FAMILIES)('the control of %s is consistent, with its family judged', (family) => {
  const { full } = of(family, 'control').reports;
  expect(full.verdict).toBe('FORENSICALLY_CONSISTENT');
  expect(full.findings).toEqual([]);
  expect(full.inconclusive).toEqual([]);
  expect(full.families.find((one) => one.family === family)).toMatchObject({ status: 'CONSISTENT' });
  expect(full.families.find((one) => one.family === family)?.triggers).toBeGreaterThan(0);
});

test.each(PLAYS)('$name: root-only is intact, records-only leaves its family inconclusive', ({ name, scenario }) => {
  const { reports } = played.get(name)!;
  expect(reports['root-only']).toMatchObject({ verdict: 'INTEGRITY_VERIFIED', findings: [], families: [] });
  expect(reports['records-only'].verdict).toBe('INCONCLUSIVE');
  expect(reports['records-only'].findings).toEqual([]);
  expect(reports['records-only'].families.find(({ family }) => family === scenario.family)?.status).toBe(
    'INCONCLUSIVE',
  );
});

const affected = ({ bundle, reports }: Played): Readonly<Record<string, unknown>> => {
  const { type, id } = reports.full.findings[0]!.affected;
  const collection = COLLECTIONS.find((name) => COLLECTION_INFO[name].node === type)!;
  const records = bundle[collection] as readonly AnyRecord[];
  return records.find((record) => Object.values(record).includes(id)) as unknown as Readonly<Record<string, unknown>>;
};

/** The target of each condition, found by what happened outside the trace. */
const TARGETS: Readonly<Record<Family, (one: Played) => unknown>> = {
  AS: ({ run }) => {
    const asked = run.witness.served.find(({ body }) => body.includes(run.marker))?.host;
    const card = run.witness.served.find(({ host, method }) => host === asked && method === 'GET')?.response ?? '';
    return { raw: expect.objectContaining({ sha256: sha256(card) }) };
  },
  CC: ({ run, bundle }) => {
    const ran = run.witness.log.find((entry) => entry.what === 'skill_ran');
    const exchange = bundle.exchanges.find(
      ({ observer, request_body }) => observer === 'sdk-server' && request_body?.text.includes(run.marker),
    );
    return { capability: ran?.skill, exchange_id: exchange?.exchange_id };
  },
  CO: ({ run, bundle }) => {
    const handedOn = run.witness.log.filter((entry) => entry.what === 'handed_on');
    const returns = handedOn.filter(({ to }) => to === handedOn[0]?.from);
    const place = handedOn.indexOf(returns[2]!);
    const call = run.witness.served.filter(({ method }) => method === 'POST')[place + 1];
    const exchange = bundle.exchanges.find(({ request_body }) => request_body?.text === call?.body);
    return { exchange_id: exchange?.exchange_id, source_agent: returns[2]?.from, destination_agent: returns[2]?.to };
  },
  HOTF: ({ run }) => {
    const loaded = run.witness.log.find((entry) => entry.what === 'load_measured' && entry.depth > 2);
    if (loaded?.what !== 'load_measured') throw new Error('the queue never filled');
    return { awaiting_input_count: loaded.awaiting, queue_depth: loaded.depth, latency_us: loaded.longestWaitUs };
  },
  ASRF: ({ run }) => {
    const served = run.witness.served.find(({ host }) => host === '169.254.169.254');
    return { uri: `http://${served?.host}${served?.path}` };
  },
  ATSI: ({ run }) => {
    const written = run.witness.log.find((entry) => entry.what === 'report_written');
    return { content: expect.objectContaining({ sha256: sha256(written?.text ?? '') }) };
  },
};

test.each(FAMILIES)('the finding of %s names the record that outside accounts point to', (family) => {
  const one = of(family, 'condition');
  expect(affected(one)).toMatchObject(TARGETS[family](one) as object);
});

/** Where the marker of a condition arrives, and where that of its control does not. */
const ARRIVALS: Readonly<Record<Family, (one: Played) => boolean>> = {
  AS: ({ run }) =>
    run.witness.served.some(({ host, body }) => host.endsWith('agents-acme.test') && body.includes(run.marker)),
  CC: ({ run }) =>
    run.witness.log.some(
      (entry) => entry.what === 'skill_ran' && entry.skill === 'purchase' && entry.text.includes(run.marker),
    ),
  CO: ({ run }) =>
    run.witness.served.filter(({ body }) => body.includes(run.marker)).length === 11 &&
    [...run.witness.saved.values()].flat().length === 0,
  HOTF: ({ run }) =>
    run.witness.log.some((entry) => entry.what === 'load_measured' && entry.depth === 3 && entry.awaiting === 4),
  ASRF: ({ run }) =>
    run.witness.served.some(({ host, path }) => host === '169.254.169.254' && path.includes(run.marker)),
  ATSI: ({ run }) => run.witness.pages.some(({ script }) => script.includes(run.marker)),
};

test.each(FAMILIES)('what the condition of %s intends is seen outside the trace, and not in its control', (family) => {
  expect(ARRIVALS[family](of(family, 'condition'))).toBe(true);
  expect(ARRIVALS[family](of(family, 'control'))).toBe(false);
});

/** The relations whose absence leaves the family of a condition without an anchor. */
const anchorsOf = ({ run, bundle }: Played): readonly Relation[] => {
  const { family } = run.play.scenario;
  return (Object.keys(RELATIONS) as Relation[]).filter((relation) => {
    const edges = bundle.edges.filter((edge) => edge.relation !== relation);
    const { families, statements } = judge(bundle, edges, venue.documents.profile.document);
    const named = statements.filter((one) => one.family === family && one.reason === 'ANCHOR_MISSING');
    return (
      families.find((one) => one.family === family)?.status === 'INCONCLUSIVE' &&
      named.some(({ missing }) => missing?.includes(relation))
    );
  });
};

test.each(FAMILIES)(
  'the definition of %s requires exactly the anchors of its rule, and record types that are there',
  (family) => {
    const one = of(family, 'condition');
    const { required_relationships, required_evidence } = venue.documents.definition(family);
    expect([...required_relationships].sort()).toEqual([...anchorsOf(one)].sort());
    for (const node of required_evidence) {
      const collection = COLLECTIONS.find((name) => COLLECTION_INFO[name].node === node)!;
      expect([node, one.bundle[collection].length > 0]).toEqual([node, true]);
    }
  },
);

/** Whether the rule of a family still makes the finding of a condition when it is given these elements alone. */
const stillFinds = ({ run, reports }: Played, elements: readonly Element[]): boolean => {
  const { reason, affected: named } = reports.full.findings[0]!;
  const nodes = elements.filter((element): element is Node => !isEdge(element));
  const graph = graphOf(nodes, elements.filter(isEdge));
  const rule: Rule = RULES[run.play.scenario.family];
  return rule
    .judge(graph, venue.documents.profile.document)
    .statements.some((one) => one.reason === reason && one.affected.id === named.id);
};

test.each(FAMILIES)(
  'the minimal evidence of the finding of %s is enough, and each element of it is needed',
  (family) => {
    const one = of(family, 'condition');
    const { statements } = judge(one.bundle, one.bundle.edges, venue.documents.profile.document);
    const { minimal } = statements.find(({ reason }) => reason === one.reports.full.findings[0]?.reason)!;
    expect(stillFinds(one, minimal)).toBe(true);
    const needless = minimal.filter((element) =>
      stillFinds(
        one,
        minimal.filter((other) => other !== element),
      ),
    );
    expect(needless).toEqual([]);
    expect(minimal.length).toBeGreaterThan(2);
  },
);

test('nothing in the evidence says which run is a condition', () => {
  for (const { run } of played.values()) {
    const texts = [
      run.evidence.bundle,
      run.evidence.receipt,
      readFileSync(run.evidence.bundle, 'utf8'),
      readFileSync(run.evidence.receipt, 'utf8'),
    ];
    for (const text of texts) expect(text.toLowerCase()).not.toMatch(/condition|control\b|attack|benign/);
  }
});

test('no private key is left, and every incident has a name of its own', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  expect(files.length).toBe(37);
  for (const file of files)
    expect(readFileSync(join(file.parentPath, file.name), 'latin1')).not.toContain('PRIVATE KEY');
  expect(new Set([...played.values()].map(({ run }) => run.evidence.incident)).size).toBe(12);
});

test('every connection went to loopback, and no name was looked up', () => {
  // One at least for each server that a scenario calls.
  expect(connections.peers.length).toBeGreaterThanOrEqual(24);
  expect(connections.peers.filter((peer) => peer !== '127.0.0.1')).toEqual([]);
  expect(connections.lookups).toEqual([]);
});

test('two whole demos at once are as expected, and the byte that was changed is found', async () => {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'forensictrace-demo-test-')));
  const demos = await Promise.all(folders.map((folder) => runDemo(folder)));
  for (const { rows, tampering, asExpected } of demos) {
    expect(rows.filter((row) => !row.asExpected)).toEqual([]);
    expect(tampering).toMatchObject({ verdict: 'INTEGRITY_REFUSED', from: '4', to: '0', asExpected: true });
    expect(tampering.refusals).toContainEqual({ reason: 'RECORD_ALTERED', record: tampering.record });
    expect(asExpected).toBe(true);
  }
  for (const one of folders) rmSync(one, { recursive: true });
});
