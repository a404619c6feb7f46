// An agent and its client, started by each test.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask, clientOf, startReader, startSite } from './world.mjs';

let agent;
let site;
beforeEach(async () => {
  agent = await startReader();
  site = await startSite();
});
afterEach(() => {
  agent.close();
  site.close();
});

test('an allowed page', async ({ capture }) => {
  expect(await ask(await clientOf(agent.url), `${site.url}/page`)).toContain('6 characters');
  await expect(capture).toBeForensicallyConsistent();
});

test('a page that moved', async ({ capture }) => {
  expect(await ask(await clientOf(agent.url), `${site.url}/moved`)).toContain('8 characters');
  await expect(capture).toBeForensicallyConsistent();
});

test('a failure of its own', async () => {
  expect(await ask(await clientOf(agent.url), `${site.url}/page`)).toContain('7 characters');
});

test('no agent at all', async ({ capture }) => {
  await fetch(`${site.url}/page`);
  await expect(capture).toBeForensicallyConsistent();
});

test('one more message behind the verdict', async ({ capture }) => {
  const client = await clientOf(agent.url);
  await ask(client, `${site.url}/page`);
  await expect(capture).toBeForensicallyConsistent();
  await ask(client, `${site.url}/page`);
});
