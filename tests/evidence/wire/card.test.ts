import { describe, expect, it } from 'vitest';
import { cardFields } from '../../../src/evidence/wire/card.ts';
import { bodyOf, caseText } from './support.ts';

const fields = (card: unknown) => cardFields(bodyOf(typeof card === 'string' ? card : JSON.stringify(card)));
const cases = JSON.parse(caseText('A7-cards.json')) as Record<string, unknown>;
const A2A = 'http://127.0.0.1:9999/a2a';
const REST = 'http://127.0.0.1:9999/rest';

describe('typed fields of an Agent Card', () => {
  it('come from the shapes of 0.3 and 1.0, and from both at once, each with its origin (case A7)', () => {
    const legacy = { protocol_version: null, protocol: 'JSONRPC' };
    const current = [
      { url: A2A, protocol: 'JSONRPC', protocol_version: '1.0', stated_in: 'supported_interfaces' },
      { url: REST, protocol: 'HTTP+JSON', protocol_version: '1.0', stated_in: 'supported_interfaces' },
    ];
    expect(fields(cases.v03)).toEqual({
      name: 'Hello',
      provider_organization: null,
      interfaces: [
        { ...legacy, url: A2A, stated_in: 'url' },
        { ...legacy, url: REST, protocol: 'HTTP+JSON', stated_in: 'additional_interfaces' },
      ],
      skill_ids: [],
      wire_issue: null,
    });
    expect(fields(cases.v10)).toMatchObject({ interfaces: current, wire_issue: null });
    const disagreeing = { ...legacy, url: 'http://other.example/a2a', stated_in: 'url' };
    expect(fields(cases.both_disagree)).toMatchObject({ interfaces: [...current, disagreeing] });
  });

  it('are null where the card does not say, or not in one way (case A7)', () => {
    const nothing = { name: null, provider_organization: null, interfaces: null, skill_ids: null };
    expect(fields(cases.empty)).toEqual({ ...nothing, wire_issue: null });
    expect(fields(cases.name_number)).toMatchObject({ name: null, wire_issue: { name: 'wrong_type' } });
    const twoNames = (cases.two_names as string).replace('RAW ', '');
    expect(fields(twoNames)).toMatchObject({
      name: null,
      interfaces: [{ url: 'http://a.example/', protocol: 'JSONRPC' }],
      wire_issue: { name: 'duplicate_name' },
    });
    expect(fields('<html>')).toEqual({ ...nothing, wire_issue: { raw: 'unparsable' } });
    expect(fields('')).toEqual({ ...nothing, wire_issue: null });
    expect(cardFields(bodyOf('{"name":"A"}', 5))).toEqual({ ...nothing, wire_issue: { raw: 'truncated' } });
  });

  it('take preferredTransport and protocolVersion for the url of 0.3', () => {
    const card = {
      url: 'u',
      preferredTransport: 'GRPC',
      protocolVersion: '0.3.0',
      additionalInterfaces: [{ url: 'v' }],
    };
    expect(fields(card).interfaces).toEqual([
      { url: 'u', protocol: 'GRPC', protocol_version: '0.3.0', stated_in: 'url' },
      { url: 'v', protocol: 'JSONRPC', protocol_version: '0.3.0', stated_in: 'additional_interfaces' },
    ]);
  });

  it('give no half lists', () => {
    expect(fields({ skills: [{ id: 'a' }, { id: 'b' }] }).skill_ids).toEqual(['a', 'b']);
    for (const skills of [[{ id: 'a' }, {}], [{ id: 'a' }, 7], 'a', [{ id: null }]]) {
      expect(fields({ skills })).toMatchObject({ skill_ids: null, wire_issue: { skill_ids: 'wrong_type' } });
    }
    expect(fields({ supportedInterfaces: [{ url: 'u' }, { protocolBinding: 'JSONRPC' }] })).toMatchObject({
      interfaces: null,
      wire_issue: { interfaces: 'wrong_type' },
    });
    expect(fields({ provider: { organization: 'Acme' }, supportedInterfaces: [] })).toMatchObject({
      provider_organization: 'Acme',
      interfaces: [],
    });
  });
});
