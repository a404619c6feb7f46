import { readFileSync } from 'node:fs';
import type { Hop } from '../../../../src/rules/detectors/uri/hop.ts';
import { judgeUri } from '../../../../src/rules/detectors/uri/judge.ts';
import type { AsrfPolicy } from '../../../../src/rules/detectors/uri/policy.ts';

/** The policy that the tables of tests/cases/uri mean. */
export const PUBLIC_WEB: AsrfPolicy = {
  schemes: ['http', 'https'],
  ports: [80, 443],
  hosts: null,
  origins: [],
  allowed_cidrs: [],
  denied_cidrs: [],
  allowed_classes: ['public'],
  require_connected_address: true,
  test_redirects: [],
};

export const PUBLIC_ADDRESS = '93.184.216.34';

export const hopTo = (uri: string, seen: Partial<Hop> = {}): Hop => ({
  uri,
  resolved_addresses: null,
  connected_address: null,
  dial_override: null,
  via_proxy: null,
  observer: 'application',
  outcome: 'connected',
  ...seen,
});

/** Rows of a table of tests/cases/uri, comments left out, cells apart. */
export const tableRows = (name: string): string[][] =>
  readFileSync(new URL(`../../../cases/uri/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));

/** What puts a URI text outside the policy, or makes it unjudgeable, in the first reading where something does. */
export const outsideBy = (uri: string, policy: AsrfPolicy = PUBLIC_WEB, base: string | null = null): string | null => {
  const { readings } = judgeUri(uri, policy, base);
  return readings.find((reading) => reading.at !== 'inside')?.by ?? null;
};
