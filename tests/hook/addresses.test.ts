import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { REASONS } from '../../src/base/reasons.ts';
import { type Lab, openLab } from './support.ts';

const REBOUND = 'tests/hook/programs/rebound.mjs';
const MOUNTED = ['sh', '-c', 'mount --bind "$0" /etc/hosts && exec "$@"'];

let lab: Lab;
let profile: string;
/** What runs a command with its own /etc/hosts; null where that is not permitted. */
let withHosts: readonly string[] | null;
beforeAll(async () => {
  lab = await openLab();
  profile = join(lab.folder, 'profile.json');
  const general = JSON.parse(readFileSync('profiles/general.json', 'utf8')) as { readonly asrf: object };
  const asrf = { ...general.asrf, ports: null, allowed_cidrs: ['127.0.0.1/32'] };
  writeFileSync(profile, JSON.stringify({ ...general, profile_id: 'first-address', asrf }));
  const hosts = join(lab.folder, 'hosts');
  writeFileSync(hosts, '127.0.0.1 localhost\n127.0.0.1 two.example\n127.0.0.2 two.example\n');
  withHosts =
    ['-m', '-rm']
      .map((flags) => ['unshare', flags, ...MOUNTED, hosts])
      .find(([program, ...args]) => spawnSync(program!, [...args, 'true']).status === 0) ?? null;
});

test.for(['fetch', 'undici', 'http'])(
  'a name that leads to another address the second time is told by the connected one: %s',
  async (manner, { skip }) => {
    const how = withHosts === null ? 'lookup' : 'hosts';
    console.log(`${manner}: two addresses by ${how === 'hosts' ? 'a private hosts file' : 'a lookup of the program'}`);
    // The global fetch takes no lookup.
    if (how === 'lookup' && manner === 'fetch') return skip('no private hosts file');
    const command = [...(withHosts ?? []), 'node', REBOUND, how, manner];
    const { stdout, records, outcome } = await lab.capture(`rebound-${manner}`, command, { profile });
    expect(stdout).toBe('the page\nanother page\n');
    const [first, second, ...more] = records.uri_dereferences;
    expect(more).toEqual([]);
    expect(second?.uri).toBe(first?.uri);
    expect(first?.resolved_addresses).toEqual(['127.0.0.1', '127.0.0.2']);
    expect(second?.resolved_addresses).toEqual(first?.resolved_addresses);
    expect([first?.connected_address, second?.connected_address]).toEqual(['127.0.0.1', '127.0.0.2']);
    expect(outcome.verdict).toBe('FORENSICALLY_INDICATED');
    const findings = outcome.judgement?.statements.filter(({ reason }) => REASONS[reason].level === 'finding');
    expect(findings?.map(({ reason, affected }) => [reason, affected.id])).toEqual([
      ['ASRF_ADDRESS_OUTSIDE_POLICY', second?.dereference_id],
    ]);
  },
);
