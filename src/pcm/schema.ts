import * as z from 'zod';
import type { Crypto } from '../base/crypto.ts';
import { CLAIM_TYPES, type ClaimType } from './claim-types.ts';
import { type Field, FieldSpec, fieldOf } from './fields.ts';
import { accepted, escapePointer, type Finding, finding, type PcmResult, refusedBy } from './finding.ts';
import { jcsHash } from './jcs.ts';
import { PCM_LIMITS } from './limits.ts';
import { Members, misshapen } from './shapes.ts';
import { readStrict } from './strict-json.ts';
import { type PcmObject, plainOf } from './value.ts';

const MAX_TOOL = 256;

/** A schema document (docs/PCM.md section 6). Members it does not list refuse it. */
const SchemaDocument = z.strictObject({
  pcm_schema: z.literal(0),
  name: z.string().regex(/^[!-?A-~]{1,256}$/, 'a name is 1 to 256 printable ASCII characters without space and @'),
  fields: Members,
  claims: z.array(z.enum(CLAIM_TYPES)).optional(),
  grant: z.boolean().optional(),
  tool: z
    .string()
    .refine((tool) => tool !== '' && Array.from(tool).length <= MAX_TOOL, `a tool is 1 to ${MAX_TOOL} characters`)
    .optional(),
});

declare const checked: unique symbol;
/** A schema document that was read. Only readPcmSchema makes one. */
export type PcmSchema = {
  /** `name@sha256:…`, over the JCS text of the document: its name on the wire. */
  readonly ref: string;
  readonly fields: ReadonlyMap<string, Field>;
  /** The claim types that an intent of this schema needs. */
  readonly claims: readonly ClaimType[];
  readonly grant: boolean;
  /** The tool the intent stands for. */
  readonly tool: string | null;
  readonly [checked]: true;
};

const fieldsOf = (members: PcmObject): PcmResult<Map<string, Field>> => {
  const fields = new Map<string, Field>();
  for (const [name, spec] of Object.entries(members)) {
    const at = `/fields/${escapePointer(name)}`;
    const fault = misshapen(FieldSpec, spec, 'PCM_SCHEMA_DOCUMENT', at);
    if (fault !== null) return refusedBy(fault);
    const field = fieldOf(spec as FieldSpec);
    if (typeof field === 'string')
      return refusedBy(finding('PCM_SCHEMA_PATTERN', `${at}/pattern`, `the pattern is refused: ${field}`));
    fields.set(name, field);
  }
  return accepted(fields);
};

/** Takes the bytes of a schema document; returns it, or why it is refused: the receiver's own error, told before any message is read. */
export const readPcmSchema = (bytes: Uint8Array, crypto: Crypto): PcmResult<PcmSchema> => {
  const read = readStrict(bytes, { what: 'schema document', maxBytes: PCM_LIMITS.documentBytes });
  if (!read.ok) return read;
  const fault = misshapen(SchemaDocument, read.value, 'PCM_SCHEMA_DOCUMENT');
  if (fault !== null) return refusedBy(fault);
  const document = read.value as PcmObject;
  const fields = fieldsOf(document.fields as PcmObject);
  if (!fields.ok) return fields;
  const { name, claims, grant, tool } = plainOf(document) as z.infer<typeof SchemaDocument>;
  return accepted({
    ref: `${name}@${jcsHash(document, crypto)}`,
    fields: fields.value,
    claims: claims ?? [],
    grant: grant ?? false,
    tool: tool ?? null,
  } as unknown as PcmSchema);
};

/** Takes the args of an intent and its schema; returns every member that breaks it. */
export const argsFaults = (args: PcmObject, { fields }: PcmSchema): readonly Finding[] => {
  const fault = (name: string, detail: string) => finding('PCM_SCHEMA_ARGS', '/intent/args', `${name}: ${detail}`);
  const present = [...fields].flatMap(([name, field]) => {
    if (!Object.hasOwn(args, name)) return field.optional ? [] : [fault(name, 'missing')];
    const broken = field.faultOf(args[name]!);
    return broken === null ? [] : [fault(name, broken)];
  });
  const unlisted = Object.keys(args).filter((name) => !fields.has(name));
  return [...present, ...unlisted.map((name) => fault(name, 'the schema has no such field'))];
};
