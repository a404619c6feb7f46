import { rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isId } from '../../src/base/grammar.ts';
import { incidentOfTest } from '../../src/capture/host/test-incident.ts';
import { gapsOf, openRun, textsOf } from './told.ts';

describe('a call belongs to a test', () => {
  test('by the connection, although its server knows of no test', async () => {
    const run = openRun();
    for (const name of ['a', 'b']) run.begin('runner', name);
    run.call('runner', { test: 'a', text: 'of a', ports: [5001, 80] });
    run.call('agent', { side: 'server', text: 'of a, served', ports: [5001, 80] });
    expect(textsOf(await run.bundleOf('a'))).toEqual(['of a', 'of a, served']);
    expect(textsOf(await run.bundleOf('b'))).toEqual([]);
  });

  test('by the connection, although its server was started by another test', async () => {
    const run = openRun();
    for (const name of ['a', 'b']) run.begin('runner', name);
    run.call('runner', { test: 'b', text: 'of b', ports: [5001, 80] });
    run.call('runner', { side: 'server', test: 'a', text: 'of b, served', ports: [5001, 80] });
    expect(textsOf(await run.bundleOf('a'))).toEqual([]);
    expect(textsOf(await run.bundleOf('b'))).toEqual(['of b', 'of b, served']);
  });

  test('by the call that caused it, through one agent and another', async () => {
    const run = openRun();
    for (const name of ['a', 'b']) run.begin('runner', name);
    run.call('runner', { test: 'a', text: '1', ports: [5001, 80] });
    const cause = run.call('agent', { side: 'server', text: '2', ports: [5001, 80] });
    run.call('agent', { cause, text: '3', ports: [5002, 81] });
    run.call('other', { side: 'server', text: '4', ports: [5002, 81] });
    expect(textsOf(await run.bundleOf('a'))).toEqual(['1', '2', '3', '4']);
    expect(gapsOf(await run.bundleOf('b'))).toEqual([]);
  });

  test('of which nothing else is known, when it is the only one that runs', async () => {
    const run = openRun();
    run.call('agent', { text: 'before' });
    run.begin('runner', 'a');
    run.call('agent', { text: 'meanwhile' });
    const bundle = await run.bundleOf('a');
    run.call('agent', { text: 'after' });
    expect(textsOf(bundle)).toEqual(['meanwhile']);
  });

  test('or is a gap in each that runs, when it is A2A or goes where a message of that test led', async () => {
    const run = openRun();
    for (const name of ['a', 'b']) run.begin('runner', name);
    run.call('runner', { test: 'a', text: 'http://site.example/page', ports: [5001, 80] });
    run.call('agent', { url: 'http://backend.example/' });
    run.call('agent', { url: 'http://site.example/page' });
    const whose = 'a call could not be assigned to one of the tests that ran';
    expect(gapsOf(await run.bundleOf('a'))).toEqual([whose]);
    run.begin('runner', 'c');
    run.call('agent', { text: 'whose?' });
    expect(gapsOf(await run.bundleOf('b'))).toEqual([whose]);
    expect(gapsOf(await run.bundleOf('c'))).toEqual([whose]);
  });

  test('of its own thread, where that runs tests: what it does outside of them is of none', async () => {
    const run = openRun();
    run.begin('runner', 'a');
    run.runsTests('other runner');
    run.call('other runner', { text: 'in its beforeAll' });
    expect(textsOf(await run.bundleOf('a'))).toEqual([]);
  });

  test('however the calls of tests and agents are mixed', async () => {
    const calls = fc.array(fc.record({ test: fc.nat(2), agent: fc.nat(1), socket: fc.nat(2) }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(calls, async (sent) => {
        const run = openRun();
        for (const id of ['t0', 't1', 't2']) run.begin('runner', id);
        for (const [at, { test: of, agent, socket }] of sent.entries()) {
          const [id, ports] = [`t${of}`, [5000 + socket, 80 + agent] as const];
          run.call('runner', { test: id, text: `${id} ${at}`, ports });
          const cause = run.call(`agent ${agent}`, { side: 'server', text: `${id} ${at} served`, ports });
          run.call(`agent ${agent}`, { cause, text: `${id} ${at} caused` });
        }
        for (const id of ['t0', 't1', 't2']) {
          const own = sent.flatMap(({ test: of }, at) =>
            `t${of}` === id ? [`${id} ${at}`, `${id} ${at} served`, `${id} ${at} caused`] : [],
          );
          const bundle = await run.bundleOf(id);
          expect(textsOf(bundle)).toEqual(own);
          expect(gapsOf(bundle)).toEqual([]);
        }
        rmSync(run.dir, { recursive: true });
      }),
      { numRuns: 8 },
    );
  });
});

describe('a recording of a test', () => {
  test('is sealed once, and counts the A2A calls that come after', async () => {
    const run = openRun();
    run.begin('runner', 'a');
    run.call('runner', { test: 'a', text: 'in time' });
    const bundle = await run.bundleOf('a');
    run.call('runner', { test: 'a', text: 'late' });
    run.call('runner', { test: 'a', url: 'http://backend.example/' });
    expect(await run.tests.seal('a')).toMatchObject({ late: 1 });
    expect(await run.bundleOf('a')).toBe(bundle);
    expect(textsOf(bundle)).toEqual(['in time']);
  });

  test('knows the agents whose cards were served before it began', async () => {
    const run = openRun();
    run.serveCard('agent', 'reader', 'http://127.0.0.1:80');
    run.begin('runner', 'a');
    run.call('runner', { test: 'a', text: 'hello' });
    const { exchanges, trace_metadata } = await run.bundleOf('a');
    expect(exchanges).toMatchObject([{ server_agent: 'reader', endpoint_id: null }]);
    expect(trace_metadata[0]?.coverage_notes.join()).toContain('before this test began');
  });

  test('of a test that never ended says so', async () => {
    const run = openRun();
    run.begin('runner', 'a');
    const [sealed] = await run.tests.sealAll();
    expect(sealed).toMatchObject({ bundle: { trace_metadata: [{ ended: 'incomplete' }] } });
  });

  test('that cannot be opened is told to the test, and the others go on', async () => {
    const run = openRun();
    writeFileSync(`${run.dir}/${incidentOfTest('a')}.journal`, '');
    run.begin('runner', 'a');
    run.begin('runner', 'b');
    expect((await run.tests.seal('a'))?.sealed).toMatchObject({
      fault: { message: expect.stringContaining('exists already') },
    });
    expect(textsOf(await run.bundleOf('b'))).toEqual([]);
  });

  test('is not known of a test that never began', async () => {
    expect(await openRun().tests.seal('nobody')).toBeNull();
  });
});

describe('the incident of a test', () => {
  test('can be read, is an id, and is its own', () => {
    expect(incidentOfTest('agents.test.ts > reads > a page')).toMatch(/^agents\.test\.ts-reads-a-page\.[0-9a-f]{8}$/);
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.string({ unit: 'binary', maxLength: 300 }),
        (one, other) => {
          expect(isId(incidentOfTest(one))).toBe(true);
          expect(incidentOfTest(one) === incidentOfTest(other)).toBe(Buffer.from(one).equals(Buffer.from(other)));
        },
      ),
    );
  });

  test('is told apart from that of a namesake, or of another attempt', async () => {
    const run = openRun();
    for (const id of ['1', '2', '3']) run.begin('runner', id, 'twice');
    const incidents = (await run.tests.sealAll()).map(({ incident }) => incident);
    const first = incidentOfTest('twice');
    expect(incidents).toEqual([first, `${first}.2`, `${first}.3`]);
  });
});
