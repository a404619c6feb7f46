import { describe, expect, it } from 'vitest';
import { asrf } from '../../src/rules/asrf.ts';
import { by, dereferenced, judge } from './asrf-traces.ts';
import { tableRows } from './detectors/uri/policies.ts';
import { expectMinimal, level, told } from './support.ts';

describe('the address after the text', () => {
  const EXPECTED: readonly (readonly [string, readonly string[]])[] = [
    ['no finding (only', ['ASRF_MIXED_ANSWERS']],
    ['no finding', []],
    ['ASRF_ADDRESS_OUTSIDE_POLICY', ['ASRF_ADDRESS_OUTSIDE_POLICY']],
    ['INCONCLUSIVE', ['FACT_MISSING']],
    ['observation', ['ASRF_ADDRESS_UNSEEN']],
  ];
  const rows = tableRows('rebinding.tsv');
  const list = (cell: string) => (cell === '(null)' ? null : cell.split(','));

  it.each(rows)('%s resolved %s, connected %s, proxy %s, required %s: %s', (...row) => {
    const [uri, resolved, connected, proxied, required, expected] = row as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const { statements } = judge(
      dereferenced(uri, {
        resolved_addresses: list(resolved),
        connected_address: list(connected)?.[0] ?? null,
        via_proxy: proxied === 'yes' ? 'http://proxy.example:3128' : null,
      }),
      { require_connected_address: required === 'yes' },
    );
    const reasons = statements.map(({ reason }) => reason);
    const known = EXPECTED.find(([text]) => expected.startsWith(text))![1];
    expect(
      reasons.filter((reason) => reason !== 'ASRF_CONNECTED_TO_ANOTHER_ANSWER' && reason !== 'ASRF_PROXIED'),
    ).toEqual(known);
    if (known.includes('FACT_MISSING')) expect(statements[0]!.missing).toEqual(['connected_address']);
    if (known.includes('ASRF_ADDRESS_UNSEEN')) expect(level(statements[0]!)).toBe('note');
  });

  it('judges the resolved address under an override that the profile lists, the connected one under another', () => {
    const fields = {
      resolved_addresses: ['169.254.169.254'],
      connected_address: '127.0.0.1',
      dial_override: { host: 'allowed.example', address: '127.0.0.1' },
    };
    const trace = dereferenced('https://allowed.example/', fields);
    const listed = { test_redirects: [{ host: 'allowed.example', address: '127.0.0.1' }] };
    const under = judge(trace, listed).statements;
    expect(told(under)).toEqual(['ASRF_ADDRESS_OUTSIDE_POLICY d', 'ASRF_DIAL_OVERRIDE_APPLIED d']);
    expect(under[0]!.explanation).toContain('169.254.169.254');
    const without = judge(trace).statements;
    expect(told(without).slice(0, 2)).toEqual(['ASRF_ADDRESS_OUTSIDE_POLICY d', 'ASRF_DIAL_OVERRIDE_UNLISTED d']);
    expect(without[0]!.explanation).toContain('127.0.0.1');
  });

  it('observes a connection to an address that was no answer, and one by a proxy', () => {
    const answered = { resolved_addresses: ['93.184.216.35'] };
    const { statements } = judge(dereferenced('https://allowed.example/', answered));
    expect(told(statements)).toEqual(['ASRF_CONNECTED_TO_ANOTHER_ANSWER d']);
    expectMinimal(asrf.judge, statements[0]!, by());
    const proxied = judge(dereferenced('https://allowed.example/', { via_proxy: 'http://proxy.example:3128' }));
    expect(told(proxied.statements)).toEqual(['FACT_MISSING d', 'ASRF_PROXIED d']);
  });

  it('observes answers outside policy where the address used was not seen', () => {
    const fields = { resolved_addresses: ['10.0.0.5'], connected_address: null, outcome: 'connect_failed' as const };
    const { statements } = judge(dereferenced('https://allowed.example/', fields));
    expect(told(statements)).toEqual(['FACT_MISSING d', 'ASRF_ANSWERS_OUTSIDE_POLICY d']);
    expectMinimal(asrf.judge, statements[1]!, by());
  });

  it('lets the address connected decide between two readings of a text', () => {
    const uri = 'http://allowed.example\\@169.254.169.254/';
    expect(told(judge(dereferenced(uri)).statements)).toEqual(['ASRF_READINGS_DIFFER d']);
    expect(told(judge(dereferenced(uri, { connected_address: null })).statements)).toEqual([
      'ASRF_HOST_OUTSIDE_POLICY d',
      'ASRF_READINGS_DIFFER d',
    ]);
  });

  it('is INCONCLUSIVE where the recorded address is none', () => {
    const { statements } = judge(dereferenced('https://allowed.example/', { connected_address: 'unix:/run/x' }));
    expect(told(statements)).toEqual(['ASRF_ADDRESS_UNREADABLE d']);
    expect(level(statements[0]!)).toBe('inconclusive');
  });
});
