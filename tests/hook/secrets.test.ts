import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLab } from './support.ts';

const PLACES = [
  'authorization',
  'basic',
  'proxy',
  'cookie',
  'apiKey',
  'setCookie',
  'responseHeader',
  'userinfo',
  'query',
  'location',
  'pushToken',
  'pushCredentials',
  'notification',
  'card',
  'cut',
  'redacted',
  'backendKey',
  'backendCookie',
  'argument',
];

/** As it is, in URLs, and what three shifts of Base64 have in common with whatever stands around it. */
const formsOf = (secret: string): string[] => {
  const shifted = [0, 1, 2].map((shift) => {
    const text = Buffer.from(' '.repeat(shift) + secret).toString('base64');
    return text.slice(shift === 0 ? 0 : 4, -4);
  });
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), ...shifted];
};

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

test('credentials, wherever they stand in what was sent, are in no file and no word of the recorder', async () => {
  const lab = await openLab();
  const planted = Object.fromEntries(PLACES.map((place) => [place, `${place}+${randomBytes(12).toString('base64')}`]));
  const temporary = join(lab.folder, 'tmp');
  mkdirSync(temporary);
  const env = { PLANTED: JSON.stringify(planted), HIDDEN: planted.redacted!, TMPDIR: temporary };
  const command = ['node', 'tests/hook/programs/secrets.mjs'];
  const captured = await lab.capture('secrets', command, { env, options: ['--redact', 'HIDDEN'] });
  expect(captured).toMatchObject({ code: 0, stdout: `${PLACES.length} values were sent\n` });
  expect(captured.records.uri_dereferences).toHaveLength(2);
  expect(captured.records.exchanges.length).toBeGreaterThanOrEqual(9);
  expect(filesUnder(temporary)).toEqual([]);
  expect(readdirSync(temporary)).toEqual([]);

  const files = filesUnder(lab.folder).map((path) => [path, readFileSync(path, 'latin1')] as const);
  expect(files.map(([path]) => path).join()).toContain('secrets.journal');
  const found = [...files, ['stderr', captured.stderr] as const].flatMap(([path, text]) =>
    Object.entries(planted).flatMap(([place, secret]) =>
      formsOf(secret).flatMap((form) => (text.includes(form) ? [`${place} in ${path}: ${form}`] : [])),
    ),
  );
  expect(found).toEqual([]);
  // What stood around them is there.
  expect(files.filter(([, text]) => text.includes('you said Basic REDACTED'))).toHaveLength(2);
});
