import * as z from 'zod';
import { ID_PATTERN } from '../base/grammar.ts';
import { isTimestamp } from '../base/time.ts';
import { WIRE_ISSUES } from '../base/wire-fields.ts';

/** The members that several record types share, each with the bounds of FORMAT.md sections 1 and 3. */

export const Id = z.string().regex(ID_PATTERN).meta({ title: 'id' });
export const ForeignId = Id.nullable().meta({ title: 'id or null' });
export const Timestamp = z
  .string()
  .refine(isTimestamp, 'not a UTC time YYYY-MM-DDTHH:MM:SS.mmmZ')
  .meta({ title: 'time' });
/** As long as the reader allows: a stranger's words are never too long to be evidence. */
export const Text = z.string().meta({ title: 'string' });
export const Label = z.string().min(1).meta({ title: 'string, not empty' });
export const Count = z.int().min(0).meta({ title: 'integer ≥ 0' });
export const Hex64 = z
  .string()
  .regex(/^[0-9a-f]{64}(?!\n)$/)
  .meta({ title: '64 hex digits' });

export const OBSERVERS = [
  'sdk-client',
  'sdk-server',
  'harness',
  'process-hook',
  'proxy',
  'application',
  'profile',
] as const;

export const WireIssues = z
  .record(z.string(), z.enum(WIRE_ISSUES))
  .nullable()
  .meta({ title: `object of ${WIRE_ISSUES.map((issue) => `\`${issue}\``).join(' | ')} or null` })
  .describe(
    'why a typed field is null although text was there: field name (or `request`, `response`, `raw` for a whole text) → issue; null when there is none',
  );

/** Bytes as received (after redaction): text, or base64 where they are not valid UTF-8. */
export const Body = z
  .strictObject({
    text: z.string().describe('the kept bytes'),
    encoding: z.enum(['utf8', 'base64']).describe('utf8 whenever the kept bytes are valid UTF-8'),
    size: Count.describe('bytes of the full body, after content decoding and redaction'),
    sha256: Hex64.describe('of the full body, after content decoding and redaction'),
    truncated: Count.nullable().describe(
      'kept bytes when cut at the capture limit, at a code-point boundary; null when whole',
    ),
  })
  .meta({ title: 'body' });
export type Body = z.infer<typeof Body>;

export const HEADER_NAMES = ['content-type', 'content-encoding', 'a2a-version', 'a2a-extensions', 'location'] as const;
export const Headers = z.array(z.tuple([z.enum(HEADER_NAMES), Text])).meta({ title: 'list of [name, value]' });
export type Headers = z.infer<typeof Headers>;

export const HttpStatus = z.int().min(100).max(999).nullable().meta({ title: 'integer 100..999 or null' });
export const ENDINGS = ['complete', 'aborted', 'timeout', 'reset'] as const;
export const Ending = z.enum(ENDINGS);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members of every record. */
export const common = {
  observed_at: Timestamp.describe('when the observer saw it'),
  sequence: Count.describe('runtime order, unique over all collections, gaps allowed'),
  observer: z.enum(OBSERVERS).describe('who saw it'),
  salt: z
    .string()
    .regex(/^[0-9a-f]{32}(?!\n)$/)
    .meta({ title: '32 hex digits' })
    .describe('from a CSPRNG: a commitment alone tells nothing of a record withheld'),
  attributes: z
    .custom<Readonly<Record<string, string>>>(isObject, 'not an object')
    .optional()
    .meta({ title: 'object of strings' })
    .describe('free members with string values; absent and {} differ'),
};
