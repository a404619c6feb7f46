// One agent for all tests, in this process or another, and tests that run at the same time.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { ask, clientOf, startReader, startSite } from './world.mjs';

const start = {
  here: startReader,
  apart: async () => {
    const child = fork(`${import.meta.dirname}/agent-process.mjs`);
    const [url] = await once(child, 'message');
    return { url, close: () => child.disconnect() };
  },
};

describe.each(['here', 'apart'])('an agent %s', (where) => {
  let agent;
  let site;
  let client;
  beforeAll(async () => {
    agent = await start[where]();
    site = await startSite();
    client = await clientOf(agent.url);
  });
  afterAll(() => {
    agent.close();
    site.close();
  });

  test.concurrent.for(['page-1', 'page-2', 'page-3'])('reads %s', async (page, { capture, expect }) => {
    expect(await ask(client, `${site.url}/${where}-${page}`)).toContain('6 characters');
    await expect(capture).toBeForensicallyConsistent();
  });

  test.concurrent('is led astray', async ({ capture, expect }) => {
    expect(await ask(client, `${site.url}/moved-${where}`)).toContain('8 characters');
    await expect(capture).not.toBeForensicallyConsistent();
  });
});
