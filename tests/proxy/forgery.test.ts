import { afterEach, describe, expect, test } from 'vitest';
import { profileWith, rpc, task } from '../capture/wire/world.ts';
import { JSON_HEADERS, post } from './http.ts';
import { closeAll, openProxies, type ProxyLab, serve } from './lab.ts';

afterEach(closeAll);

/** Reads the page that a message names. */
const startAgent = () =>
  serve(async (request, response) => {
    if (request.method === 'GET') {
      response.end('a file of the agent');
      return;
    }
    let body = '';
    for await (const piece of request) body += piece;
    const { params } = JSON.parse(body) as ReturnType<typeof rpc>;
    const page = await (await fetch(params.message.parts[0]!.text)).text();
    response.writeHead(200, JSON_HEADERS).end(JSON.stringify(task('t-1', 'COMPLETED', `${page.length} characters`)));
  });

/** Agent, site and internal service; the site sends on to where `moved` says. */
const startWorld = async (moved: () => string) => {
  const agent = await startAgent();
  const site = await serve((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: moved() }).end();
    else response.end('a page');
  });
  const internal = await serve((_, response) => response.end('a secret'));
  const port = Number(new URL(site).port);
  return {
    agent,
    site,
    internal,
    profile: profileWith({ asrf: { ports: [port], allowed_classes: ['public', 'loopback'] } }),
  };
};
const ask = async (lab: ProxyLab, text: string): Promise<void> => {
  expect(await (await post(`${lab.at[0]}/rpc`, rpc(text))).text()).toContain('characters');
};

describe('an agent behind three proxies', () => {
  test('is led to an internal service: the finding has reference, hops and the address upstream', async () => {
    let lab: ProxyLab | undefined;
    const { agent, site, internal, profile } = await startWorld(() => `${lab!.at[2]}/secret`);
    lab = await openProxies([agent, site, internal], { profile });
    await ask(lab, `${lab.at[1]!.replace('127.0.0.1', 'localhost')}/moved`);
    const { findings, records, trace, status } = await lab.judged();
    const [first, second] = records.uri_dereferences;
    expect(findings).toEqual([`ASRF_PORT_OUTSIDE_POLICY ${second!.dereference_id}`]);
    const reference = records.uri_references.find(({ reference_id }) => reference_id === first!.reference_id);
    expect(reference).toMatchObject({ uri: `http://localhost:${new URL(lab.at[1]!).port}/moved`, body: 'request' });
    const seen = {
      agent: null,
      observer: 'proxy',
      connected_address: '127.0.0.1',
      outcome: 'connected',
      ended: 'complete',
    };
    expect(records.uri_dereferences).toMatchObject([
      { ...seen, uri: `${site}/moved`, hop: 0, status: 302, via_proxy: new URL(lab.at[1]!).host },
      {
        ...seen,
        uri: `${internal}/secret`,
        hop: 1,
        redirect_of: first!.dereference_id,
        via_proxy: new URL(lab.at[2]!).host,
      },
    ]);
    expect(records.dereference_responses).toMatchObject([{}, { body: { text: 'a secret' } }]);
    expect(status('ASRF')).toBe('INDICATED');
    expect(trace).toMatchObject({ ended: 'complete', coverage: { uri_dereference: false } });
    expect(trace.coverage_notes).toContainEqual(
      expect.stringContaining(`dereferences were seen of ${site}, ${internal} alone`),
    );
  });

  test('reads an allowed page: consistent, by the name of the proxy as by that of the site', async () => {
    for (const name of ['proxy', 'site']) {
      const { agent, site, internal, profile } = await startWorld(() => '');
      const lab = await openProxies([agent, site, internal], { profile });
      await ask(lab, `${lab.at[1]}/page`);
      // A text may name the site itself, and the agent be told of the proxy by other means.
      if (name === 'site') {
        await post(`${lab.at[0]}/rpc`, rpc(`${site}/other`));
        await (await fetch(`${lab.at[1]}/other`)).text();
      }
      const { findings, status, verdict, records } = await lab.judged();
      expect(findings).toEqual([]);
      expect(status('ASRF')).toBe('CONSISTENT');
      expect(verdict).toBe('FORENSICALLY_CONSISTENT');
      expect(records.uri_dereferences).toHaveLength(name === 'site' ? 2 : 1);
    }
  });

  test('is led past every proxy: that is a gap, and nothing is consistent', async () => {
    let elsewhere = '';
    const { agent, site, internal, profile } = await startWorld(() => `${elsewhere}/secret`);
    elsewhere = internal;
    const lab = await openProxies([agent, site], { profile });
    await ask(lab, `${lab.at[1]}/moved`);
    const { verdict, trace } = await lab.judged();
    expect(verdict).toBe('INCONCLUSIVE');
    expect(trace.gaps).toMatchObject([{ what: expect.stringContaining(`leads past every proxy, to ${internal}`) }]);
  });

  test('a redirect below the URL that was asked for stays with the proxy, and is followed once: later visitors were not sent', async () => {
    const { agent, site, internal, profile } = await startWorld(() => '/page');
    const lab = await openProxies([agent, site, internal], { profile });
    await ask(lab, `${lab.at[1]}/moved`);
    await (await fetch(`${lab.at[1]}/page`)).text();
    const { records, trace } = await lab.judged();
    expect(trace.gaps).toEqual([]);
    expect(records.uri_dereferences.map(({ uri, hop }) => [uri, hop])).toEqual([
      [`${site}/moved`, 0],
      [`${site}/page`, 1],
    ]);
  });
});

describe('an agent behind a proxy alone', () => {
  test('fetches unseen: request forgery is not observed, and never consistent', async () => {
    const { agent, site, profile } = await startWorld(() => '');
    const lab = await openProxies([agent], { profile });
    await ask(lab, `${site}/page`);
    const { status, verdict, trace } = await lab.judged();
    expect(status('ASRF')).toBe('NOT_OBSERVED');
    expect(verdict).not.toBe('FORENSICALLY_CONSISTENT');
    expect(trace.coverage.uri_dereference).toBe(false);
    expect(trace.coverage_notes).toContainEqual(
      expect.stringContaining('what agents behind them fetched was not seen'),
    );
    expect(trace.coverage_notes).toContainEqual(expect.stringMatching(/1 URIs that messages named lead past/));
  });

  test('whose client fetches a file that it named: that is no dereference of an agent, however its host is spelled', async () => {
    const { agent, profile } = await startWorld(() => '');
    const lab = await openProxies([agent], { profile });
    const port = new URL(lab.at[0]!).port;
    for (const origin of [agent, `http://localhost:${port}`, lab.at[0]!]) {
      await post(`${lab.at[0]}/rpc`, rpc(`${origin}/file`));
      await (await fetch(`http://localhost:${port}/file`)).text();
      await (await fetch(`${lab.at[0]}/file`)).text();
    }
    const { records, status } = await lab.judged();
    expect(records.uri_references.length).toBeGreaterThanOrEqual(3);
    expect(records.uri_dereferences).toEqual([]);
    expect(status('ASRF')).toBe('NOT_OBSERVED');
  });

  test('a file of another agent, which that one named as well, is one', async () => {
    const { agent, site, profile } = await startWorld(() => '');
    const other = await startAgent();
    const lab = await openProxies([agent, other], { profile });
    await ask(lab, `${site}/page`);
    const admin = `${lab.at[1]}/admin`;
    await post(`${lab.at[0]}/rpc`, rpc(admin));
    await post(`${lab.at[1]}/rpc`, rpc(`${admin} again`));
    await (await fetch(admin)).text();
    const { records, findings } = await lab.judged();
    expect(records.uri_dereferences.length).toBeGreaterThan(0);
    expect(records.uri_dereferences.every(({ uri }) => uri === `${other}/admin`)).toBe(true);
    expect(findings).not.toEqual([]);
  });
});
