import { decodeBase64 } from '../../base/base64.ts';
import { lookUp, type WireField } from '../../base/wire-fields.ts';
import type { WireNode } from '../../base/wire-json.ts';
import type { RecordOf } from '../bundle.ts';
import { PART_KINDS } from '../records/artifacts.ts';
import { PART_PATHS } from './paths.ts';
import { find, type Issues, longString, shortString } from './read-fields.ts';

export type PartKind = (typeof PART_KINDS)[number];
export type PartFields = Pick<RecordOf<'artifacts'>, 'part_kind' | 'media_type' | 'filename' | 'part_url'> & {
  /** The part's bytes, or the text whose UTF-8 they are: `content` of the record is these, whole. */
  readonly content: PartContent | null;
};
export type PartContent = Uint8Array | string;
export const PART_FIELDS = ['part_kind', 'media_type', 'filename', 'part_url', 'content'] as const;
export const NO_PART = { part_kind: null, media_type: null, filename: null, part_url: null, content: null } as const;

/** The typed fields of one part; `text` is the JSON text in which the node stands. */
export const partFields = (text: string, part: WireNode, issues: Issues): PartFields => {
  const kind = kindOf(part);
  const media_type = issues.take('media_type', shortString(part, PART_PATHS.media_type));
  const filename = issues.take('filename', shortString(part, PART_PATHS.filename));
  if (kind.issue !== null)
    for (const name of ['part_kind', 'part_url', 'content'] as const) issues.note(name, kind.issue);
  return {
    part_kind: kind.value,
    media_type,
    filename,
    part_url: kind.value === 'url' ? issues.take('part_url', shortString(part, PART_PATHS.content.url)) : null,
    content: kind.value === null ? null : issues.take('content', CONTENT[kind.value](part, text)),
  };
};

/** Which member of the oneof is set. Two of them are `wrong_type`: peers may read either. A lone `data` of JSON null is data (a2a.proto Part). */
const kindOf = (part: WireNode): WireField<PartKind> => {
  const set: PartKind[] = [];
  let nullData = false;
  for (const kind of PART_KINDS) {
    for (const path of PART_PATHS.content[kind]) {
      const there = find(part, path);
      if (typeof there === 'string') return { value: null, issue: there };
      if (there === null) continue;
      if (there.kind !== 'null') set.push(kind);
      else if (kind === 'data') nullData = true;
    }
  }
  if (set.length > 1) return { value: null, issue: 'wrong_type' };
  return { value: set[0] ?? (nullData ? 'data' : null), issue: null };
};

const CONTENT: Record<PartKind, (part: WireNode, text: string) => WireField<PartContent>> = {
  text: (part) => longString(part, PART_PATHS.content.text),
  raw: (part) => {
    const field = longString(part, PART_PATHS.content.raw);
    const bytes = field.value === null ? null : decodeProtoBase64(field.value);
    return bytes === null
      ? { value: null, issue: field.issue ?? (field.value === null ? null : 'wrong_type') }
      : { value: bytes, issue: null };
  },
  url: () => ({ value: null, issue: null }),
  data: (part, text) => {
    const there = lookUp(part, PART_PATHS.content.data);
    return { value: 'found' in there ? text.slice(there.found.start, there.found.end) : null, issue: null };
  },
};

/** ProtoJSON bytes: RFC 4648 section 4 or 5, padded or not; unused bits zero. */
const decodeProtoBase64 = (text: string): Uint8Array | null => {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return decodeBase64(standard.endsWith('=') ? standard : standard.padEnd(Math.ceil(standard.length / 4) * 4, '='));
};
