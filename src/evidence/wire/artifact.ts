import type { WireField, WireIssue, WireLookUp } from '../../base/wire-fields.ts';
import type { WireNode } from '../../base/wire-json.ts';
import type { RecordOf } from '../bundle.ts';
import { NO_PART, PART_FIELDS, type PartFields, partFields } from './part.ts';
import { ARTIFACT_PATHS, PAYLOAD_PATHS } from './paths.ts';
import type { Payload } from './payload-kinds.ts';
import type { PayloadText } from './payload-text.ts';
import { at, boolean, Issues, items, shortString } from './read-fields.ts';

type ArtifactRecord = RecordOf<'artifacts'>;
/** Where a part stands in a text. */
export type ArtifactPlace = Pick<ArtifactRecord, 'payload' | 'artifact_index' | 'part_index'>;
export type ArtifactFields = Pick<
  ArtifactRecord,
  'task_id' | 'context_id' | 'artifact_id' | 'name' | 'append' | 'last_chunk' | 'wire_issue'
> &
  PartFields;

/** One artifact or message of a text, the payload it came in, and its part list. */
type Carrier = {
  readonly payload: Payload;
  readonly place: Omit<ArtifactPlace, 'part_index'>;
  readonly node: WireLookUp;
  readonly parts: WireField<readonly WireNode[]>;
  /** What was read of its parts: first of none of them, then by their index. */
  readonly kept: (ArtifactFields | undefined)[];
};

const NOWHERE: WireField<readonly WireNode[]> = { value: null, issue: null };

const carrier = (payload: Payload, place: Carrier['place'], node: WireLookUp): Carrier => ({
  payload,
  place,
  node,
  parts:
    'found' in node
      ? items(node.found, ARTIFACT_PATHS.parts)
      : 'issue' in node
        ? { value: null, issue: node.issue }
        : NOWHERE,
  kept: [],
});

/** Every artifact and message of the text, in order: of a task its artifact list and its status message. */
const carriersOf = (payload: Payload): Carrier[] => {
  const { kind, node } = payload;
  const carriers: Carrier[] = [];
  if (kind === 'artifact_update') {
    carriers.push(carrier(payload, { payload: kind, artifact_index: null }, at(node, 'artifact')));
  }
  if (kind === 'task') {
    const artifacts = items(node, ['artifacts']);
    const place = { payload: 'task_artifact' } as const;
    if (artifacts.issue === 'duplicate_name') {
      carriers.push(carrier(payload, { ...place, artifact_index: null }, { issue: artifacts.issue }));
    }
    for (const [artifact_index, found] of (artifacts.value ?? []).entries()) {
      carriers.push(carrier(payload, { ...place, artifact_index }, { found }));
    }
  }
  const message = PAYLOAD_PATHS[kind].message;
  if (message !== null) {
    const there = at(node, message);
    const read = carrier(payload, { payload: 'message', artifact_index: null }, there);
    if (read.parts.issue === 'duplicate_name' || (read.parts.value?.length ?? 0) > 0) carriers.push(read);
  }
  return carriers;
};

type Places = {
  /** Those of one place together, in the order of the text; more than one when it has two payloads. */
  readonly all: readonly (readonly [Carrier, Carrier?])[];
  readonly at: ReadonlyMap<ArtifactPlace['payload'], ReadonlyMap<number | null, readonly [Carrier, Carrier?]>>;
};

const placesIn = (text: PayloadText): Places =>
  text.once('carriers', () => {
    const all: [Carrier, Carrier?][] = [];
    const places = new Map<ArtifactPlace['payload'], Map<number | null, [Carrier, Carrier?]>>();
    for (const payload of 'issue' in text.payloads ? [] : text.payloads.payloads) {
      for (const found of carriersOf(payload)) {
        const { payload: kind, artifact_index: index } = found.place;
        const ofKind = places.get(kind) ?? new Map<number | null, [Carrier, Carrier?]>();
        places.set(kind, ofKind);
        const same = ofKind.get(index);
        if (same !== undefined) {
          same.push(found);
          continue;
        }
        const first: [Carrier, Carrier?] = [found];
        ofKind.set(index, first);
        all.push(first);
      }
    }
    return { all, at: places };
  });

const carriersAt = (
  text: PayloadText,
  { payload, artifact_index }: ArtifactPlace,
): readonly [Carrier, Carrier?] | undefined => placesIn(text).at.get(payload)?.get(artifact_index);

/** The places of every part that a text carries; an artifact without parts is one place. */
export const artifactPlaces = (text: PayloadText): ArtifactPlace[] => {
  const places: ArtifactPlace[] = [];
  for (const [{ place, parts }, other] of placesIn(text).all) {
    const count = other === undefined ? (parts.value?.length ?? 0) : 0;
    if (count === 0) places.push({ ...place, part_index: null });
    for (let part_index = 0; part_index < count; part_index++) places.push({ ...place, part_index });
  }
  return places;
};

/** True when the text has that place, or cannot be read, so that it may. */
export const holdsPlace = (text: PayloadText, place: ArtifactPlace): boolean => {
  if ('issue' in text.whole || 'issue' in text.payloads) return true;
  const found = carriersAt(text, place);
  if (found === undefined) return false;
  const count = found.length > 1 ? 0 : (found[0]!.parts.value?.length ?? 0);
  return place.part_index === null ? count === 0 : place.part_index < count;
};

/**
 * The typed fields of the part at a place of a text, and why any is null. `content` is the part's bytes: text as UTF-8, raw decoded, data as its
 * JSON text exactly as written. Two payloads with the same place are `wrong_type`: peers may read either.
 */
export const artifactFields = (text: PayloadText, place: ArtifactPlace): ArtifactFields => {
  const kept = carriersAt(text, place)?.[0].kept;
  const index = place.part_index === null ? 0 : 1 + place.part_index;
  const known = kept?.[index];
  if (known !== undefined) return known;
  const fields = read(text, place);
  // The number of a place that the text does not have may be any.
  if (kept !== undefined && holdsPlace(text, place)) kept[index] = fields;
  return fields;
};

const read = (text: PayloadText, place: ArtifactPlace): ArtifactFields => {
  const issues = new Issues();
  if ('issue' in text.whole) issues.note(text.of, text.whole.issue);
  const [found, other] = carriersAt(text, place) ?? [];
  const issue = 'issue' in text.payloads ? text.payloads.issue : other === undefined ? null : 'wrong_type';
  if (issue !== null || found === undefined || !('read' in text.whole)) return unread(issue, issues);
  const { payload, node } = found;
  const { task_id, context_id } = PAYLOAD_PATHS[payload.kind];
  const isUpdate = place.payload === 'artifact_update';
  const flag = (name: 'append' | 'lastChunk', field: 'append' | 'last_chunk'): boolean | null => {
    if (!isUpdate) return null;
    const stated = boolean(payload.node, [name]);
    return stated.issue === null ? (stated.value ?? false) : issues.take(field, stated);
  };
  const ofArtifact = (name: 'artifact_id' | 'name'): string | null => {
    if (place.payload === 'message' || 'absent' in node) return null;
    if ('issue' in node) return issues.take(name, { value: null, issue: node.issue });
    return issues.take(name, shortString(node.found, ARTIFACT_PATHS[name]));
  };
  return {
    task_id: issues.take('task_id', shortString(payload.node, [task_id])),
    context_id: issues.take('context_id', shortString(payload.node, [context_id])),
    artifact_id: ofArtifact('artifact_id'),
    name: ofArtifact('name'),
    append: flag('append', 'append'),
    last_chunk: flag('lastChunk', 'last_chunk'),
    ...partAt(text.whole.read.text, found, place.part_index, issues),
    wire_issue: issues.wireIssue(),
  };
};

const partAt = (text: string, { parts }: Carrier, index: number | null, issues: Issues): PartFields => {
  if (parts.issue !== null) for (const name of PART_FIELDS) issues.note(name, parts.issue);
  const part = index === null ? undefined : parts.value?.[index];
  return part === undefined ? NO_PART : partFields(text, part, issues);
};

const unread = (issue: WireIssue | null, issues: Issues): ArtifactFields => {
  const nothing = {
    task_id: null,
    context_id: null,
    artifact_id: null,
    name: null,
    append: null,
    last_chunk: null,
    ...NO_PART,
  };
  if (issue !== null) for (const name of Object.keys(nothing)) issues.note(name, issue);
  return { ...nothing, wire_issue: issues.wireIssue() };
};
