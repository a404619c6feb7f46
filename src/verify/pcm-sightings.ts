import { parseWire } from '../base/wire-json.ts';
import { bodyBytes } from '../evidence/body.ts';
import { BodyView } from '../evidence/body-view.ts';
import type { RecordOf, Records } from '../evidence/bundle.ts';
import type { Body } from '../evidence/fields.ts';
import { isPcmMediaType, type PcmPart, pcmPartsOf } from '../pcm/a2a-parts.ts';
import type { Graph } from '../relate/graph.ts';
import type { Node } from '../relate/nodes.ts';

type Exchange = Node<'exchanges'>;
/** A message as one observer saw it on its way to an agent. */
export type Sighting = { readonly exchange: Exchange; readonly part: PcmPart };
/** One message on its way, seen from one or more sides; the views are in runtime order. */
export type Delivery = { readonly views: readonly [Sighting, ...Sighting[]] };
export type Requests = { readonly sightings: readonly Sighting[]; readonly unread: readonly Exchange[] };

/** What may be, or hide in an escape, a part of this media type: the other requests are not parsed once more. */
const MAY_CARRY = /vnd\.pcm|\\u/i;
const NAMES_IT = /vnd\.pcm/i;
/** What every text has that MAY_CARRY matches, or that holds a NUL, as JSON writes it: `.p`, or a backslash before `u`. */
const PAIRS = new Uint8Array(256);
PAIRS['.'.charCodeAt(0)] = 'p'.charCodeAt(0);
PAIRS['\\'.charCodeAt(0)] = 'u'.charCodeAt(0);

/** Whether a body that is not read names the media type, in whatever text of ASCII, UTF-16 or UTF-32 a server may take it for. */
const namesIt = (body: Body): boolean =>
  NAMES_IT.test(
    (body.encoding === 'utf8' ? body.text : new TextDecoder('latin1').decode(bodyBytes(body))).replaceAll('\0', ''),
  );

const partsOf = ({ binding, request_body: body }: RecordOf<'exchanges'>): readonly PcmPart[] | 'unread' => {
  if (binding === 'GRPC' || body === null) return [];
  if (body instanceof BodyView && !body.mayHold(PAIRS)) return [];
  if (body.encoding === 'utf8' && !body.text.includes('\0') && !MAY_CARRY.test(body.text)) return [];
  const root = body.encoding === 'utf8' && body.truncated === null ? parseWire(body.text) : null;
  if (root === null) return namesIt(body) ? 'unread' : [];
  // Of a name that stands twice both readings are followed: which of them the agent took is not known.
  const calls = root.kind === 'array' ? root.items : [root];
  return calls.flatMap((call) => pcmPartsOf(call, binding).parts);
};

/** Takes a graph; returns the messages that requests carry, in runtime order, and the requests of which that cannot be told. */
export const messagesIn = (graph: Graph): Requests => {
  const sightings: Sighting[] = [];
  const unread: Exchange[] = [];
  for (const exchange of graph.nodes('exchanges')) {
    const parts = partsOf(exchange.record);
    if (parts === 'unread') unread.push(exchange);
    else for (const part of parts) sightings.push({ exchange, part });
  }
  return { sightings, unread };
};

/**
 * Parts of the media type of PCM: in requests, and in responses, as far as they are records. `grpc`: calls over gRPC that carry one, either way; the text on
 * the wire is not JSON, and its records do not say whether a part was sent or answered.
 */
export type PcmParts = { readonly requests: number; readonly responses: number; readonly grpc: number };

/** Takes records; returns how many parts say that they carry a message; a request that cannot be read counts as one. */
export const countPcmParts = ({ exchanges, artifacts }: Pick<Records, 'exchanges' | 'artifacts'>): PcmParts => {
  let [requests, responses] = [0, 0];
  const calls = new Set<string>();
  const carrying = new Set<string>();
  for (const exchange of exchanges) {
    if (exchange.binding === 'GRPC') {
      calls.add(exchange.exchange_id);
      if (exchange.request_body !== null && namesIt(exchange.request_body)) carrying.add(exchange.exchange_id);
    } else {
      const read = partsOf(exchange);
      requests += read === 'unread' ? 1 : read.length;
    }
  }
  for (const artifact of artifacts) {
    if (artifact.media_type === null || !isPcmMediaType(artifact.media_type)) continue;
    const { exchange_id } = artifact;
    if (exchange_id !== null && calls.has(exchange_id)) carrying.add(exchange_id);
    else responses++;
  }
  return { requests, responses, grpc: carrying.size };
};

type Seen = RecordOf<'exchanges'>;
/** A client may know an agent by its card, the server by the name of its operator: then the URL tells. */
const isSameAgent = (a: Seen, b: Seen): boolean =>
  a.server_agent === null || b.server_agent === null || a.server_agent === b.server_agent || a.url === b.url;

/**
 * True when two sightings of one text may be two sides of one exchange: of two observers, or of one that watches both processes, which then saw one
 * request answered by one response. Whoever sends a request again gets an answer of its own.
 */
const isOtherSide = ({ exchange: { record: a } }: Sighting, { exchange: { record: b } }: Sighting): boolean => {
  if (!isSameAgent(a, b)) return false;
  if (a.observer !== b.observer) return true;
  return (
    a.observer === 'process-hook' &&
    a.url === b.url &&
    a.request_body?.sha256 === b.request_body?.sha256 &&
    a.response_body?.sha256 === b.response_body?.sha256
  );
};

/** Sides of one exchange: its client, its server, and a proxy between them. */
const SIDES = 3;

const joins = (sighting: Sighting, views: readonly Sighting[]): boolean => {
  const { observer } = sighting.exchange.record;
  const same = views.filter(({ exchange }) => exchange.record.observer === observer).length;
  const allowed = observer === 'process-hook' ? 2 : 1;
  return views.length < SIDES && same < allowed && views.every((view) => isOtherSide(view, sighting));
};

const keyOf = ({ at, ...part }: PcmPart): string =>
  'bytes' in part ? `${at} ${new TextDecoder().decode(part.bytes)}` : `${at} ${part.refused.detail}`;

/** Deliveries of one text that may still have another side: as many as could be under way at once. */
const OPEN = 8;

/** Takes sightings in runtime order; returns the messages that were sent: the n-th view of a text on one side is the n-th on the other. */
export const deliveriesOf = (sightings: readonly Sighting[]): readonly Delivery[] => {
  const deliveries: [Sighting, ...Sighting[]][] = [];
  const openOf = new Map<string, [Sighting, ...Sighting[]][]>();
  for (const sighting of sightings) {
    const key = keyOf(sighting.part);
    const open = openOf.get(key) ?? [];
    const known = open.find((views) => joins(sighting, views));
    if (known !== undefined) {
      known.push(sighting);
      continue;
    }
    const views: [Sighting] = [sighting];
    deliveries.push(views);
    openOf.set(key, [...open, views].slice(-OPEN));
  }
  return deliveries.map((views) => ({ views }));
};
