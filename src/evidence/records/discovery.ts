import * as z from 'zod';
import { Body, common, ForeignId, HttpStatus, Id, Label, Text, WireIssues } from '../fields.ts';

export const PROTOCOL_BINDINGS = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;

const CardInterface = z.strictObject({
  url: Text.describe('as written in the card'),
  protocol: Text.nullable().describe(
    'protocolBinding, else transport, as written; of url: preferredTransport; of the 0.3 shapes JSONRPC when absent',
  ),
  protocol_version: Text.nullable().describe(
    'protocolVersion of the interface; of the 0.3 shapes else that of the card',
  ),
  stated_in: z.enum(['supported_interfaces', 'url', 'additional_interfaces']).describe('which shape of card states it'),
});
export type CardInterface = z.infer<typeof CardInterface>;

export const AgentCardSnapshot = z.strictObject({
  card_id: Id.describe('id of the card; the same card has the same id in every role list'),
  ...common,
  url: Text.nullable().describe('where it was fetched; null when it was not fetched'),
  status: HttpStatus.describe('HTTP status of that fetch'),
  extended: z.boolean().describe('an authenticated extended card'),
  endpoint_id: ForeignId.describe('the endpoint that served this extended card; null otherwise'),
  raw: Body.describe('the card as received; its sha256 is the card digest that profiles pin'),
  name: Text.nullable().describe('from raw: name'),
  provider_organization: Text.nullable().describe('from raw: provider.organization'),
  interfaces: z
    .array(CardInterface)
    .nullable()
    .meta({ title: 'list of interfaces or null' })
    .describe(
      'from raw, in card order: supportedInterfaces, then url, then additionalInterfaces; null when none of the three is there, or one member has no url',
    ),
  skill_ids: z
    .array(Text)
    .nullable()
    .meta({ title: 'list of strings or null' })
    .describe('from raw: skills[].id, in card order; null when there is no list, or one member has no id'),
  wire_issue: WireIssues,
});

export const SelectedEndpoint = z.strictObject({
  endpoint_id: Id.describe('id of the endpoint'),
  ...common,
  card_id: ForeignId.describe('the selected card that supplied it'),
  url: Text.describe('the interface URL in use'),
  protocol: z.enum(PROTOCOL_BINDINGS).describe('the protocol binding in use'),
  protocol_version: Text.nullable(),
  agent: Label.nullable().describe('the agent that serves it, by the name this trace uses for it'),
});

export const DiscoveryEventEvidence = z.strictObject({
  discovery_id: Id.describe('id of the discovery decision'),
  ...common,
  client_agent: Label.nullable().describe('the agent that chose'),
  considered_card_ids: z.array(Id).meta({ title: 'list of ids' }).describe('candidate cards considered'),
  trusted_card_ids: z.array(Id).meta({ title: 'list of ids' }).describe('trusted cards compared against'),
  selected_card_id: ForeignId.describe('the card chosen; null when none was'),
});
