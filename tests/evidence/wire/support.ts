import { readFileSync } from 'node:fs';
import { MAX_BODY_LIMIT, makeBody } from '../../../src/evidence/body.ts';
import type { RecordOf, Records } from '../../../src/evidence/bundle.ts';
import type { Body } from '../../../src/evidence/fields.ts';
import { type ArtifactPlace, artifactFields } from '../../../src/evidence/wire/artifact.ts';
import { cardFields } from '../../../src/evidence/wire/card.ts';
import {
  ExchangeTexts,
  type ExchangeWire,
  exchangeFields,
  responseTexts,
} from '../../../src/evidence/wire/exchange.ts';
import { observationsIn } from '../../../src/evidence/wire/observations.ts';
import type { PayloadText } from '../../../src/evidence/wire/payload-text.ts';
import { urisIn } from '../../../src/evidence/wire/reference.ts';
import { transitionFields } from '../../../src/evidence/wire/transition.ts';
import { nativeCrypto } from '../../../src/store/native-crypto.ts';
import { Trace } from '../../rules/support.ts';

export const caseText = (name: string): string =>
  readFileSync(new URL(`../../cases/a2a/${name}`, import.meta.url), 'utf8');

export const bytesOf = (data: string | Uint8Array): Uint8Array =>
  typeof data === 'string' ? new TextEncoder().encode(data) : data;

export const bodyOf = (data: string | Uint8Array, limit = MAX_BODY_LIMIT): Body =>
  makeBody(bytesOf(data), limit, nativeCrypto);

type Parts = {
  readonly request?: string | Uint8Array | null;
  readonly response?: string | Uint8Array | null;
  readonly binding?: ExchangeWire['binding'];
  readonly type?: string;
  readonly version?: string;
  readonly limit?: number;
};

/** An exchange as kept, of bodies as they came. */
export const wireOf = ({
  request,
  response,
  binding = 'JSONRPC',
  type = 'application/json',
  version,
  limit,
}: Parts): ExchangeWire => ({
  binding,
  request_headers: version === undefined ? [] : [['a2a-version', version]],
  response_headers: [['content-type', type]],
  request_body: request == null ? null : bodyOf(request, limit),
  response_body: response == null ? null : bodyOf(response, limit),
});

export const fieldsOf = (parts: Parts) => exchangeFields(wireOf(parts));

const contentOf = ({ content, ...fields }: ReturnType<typeof artifactFields>) => ({
  ...fields,
  content: content === null ? null : bodyOf(content),
});
const artifactRecord = (text: PayloadText, place: ArtifactPlace): Partial<RecordOf<'artifacts'>> => ({
  ...place,
  ...contentOf(artifactFields(text, place)),
});

/** Everything that a capture records of some exchanges: the extraction alone decides the typed fields. */
export const captured = (exchanges: readonly Parts[], cards: readonly (string | Uint8Array)[] = []): Records => {
  const trace = new Trace().add('trace_metadata', 'trace');
  for (const [i, card] of cards.entries()) {
    const raw = bodyOf(card);
    trace.add('candidate_cards', `card-${i}`, { raw, ...cardFields(raw) });
  }
  for (const [i, parts] of exchanges.entries()) {
    const exchange_id = `exchange-${i}`;
    const wire = wireOf(parts);
    const texts = new ExchangeTexts(wire);
    trace.add('exchanges', exchange_id, { ...wire, ...exchangeFields(wire, texts) });
    let count = 0;
    const reference = (
      body: 'request' | 'response',
      wire_event: number | null,
      { whole }: Pick<PayloadText, 'whole'>,
    ) => {
      for (const place of 'read' in whole ? urisIn(whole.read, () => {}) : []) {
        trace.add('uri_references', `reference-${i}-${count++}`, { exchange_id, body, wire_event, ...place });
      }
    };
    reference('request', null, { whole: texts.request });
    for (const { wire_event, text } of responseTexts(texts)) {
      reference('response', wire_event, text);
      for (const { kind, ...place } of observationsIn(text)) {
        const id = `record-${i}-${count++}`;
        const source = { exchange_id, wire_event };
        if (kind === 'transition') trace.add('task_transitions', id, { ...source, ...transitionFields(text) });
        else trace.add('artifacts', id, { ...source, ...artifactRecord(text, place as ArtifactPlace) });
      }
    }
  }
  return trace.records();
};

export const rpc = (result: unknown, id: unknown = 1): string => JSON.stringify({ jsonrpc: '2.0', id, result });
