import * as z from 'zod';
import { CLASSES } from './classes.ts';
import { type ClassName, LIES, OTHERS } from './dataset.ts';

const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const Time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const Count = z.number().int().nonnegative();
const Members = z.record(z.string(), z.unknown());

/** dataset.json. */
export const HeadShape = z.strictObject({
  format: z.literal('forensictrace.lies.v1'),
  seed: z.string(),
  preregistration: Digest,
  me: z.string(),
  trust: z.strictObject({ logs: z.array(z.string()).min(1) }),
  schemas: z.array(Members),
  logs: z
    .array(z.strictObject({ name: z.string().regex(/^[a-z]{1,20}$/), vkey: z.string(), pinned: z.boolean() }))
    .min(1),
  counts: z.partialRecord(z.enum([...LIES, ...OTHERS]), Count),
  madeWith: z.record(z.string(), z.string()),
  files: z.record(z.string(), Digest),
});

const BYTES = { text: z.string().optional(), base64: z.base64().optional() };
const isOne = ({ text, base64 }: { text?: string | undefined; base64?: string | undefined }): boolean =>
  (text === undefined) !== (base64 === undefined);
const ONE = 'text or base64, and not both';

/** True for a class that is one of lies. */
const isLies = (name: ClassName): boolean => (LIES as readonly ClassName[]).includes(name);

/** A line of messages-CLASS.jsonl. Its id is of its class and part, and its label that of its class. */
export const messageShape = (name: ClassName): z.ZodType =>
  z
    .strictObject({
      ...BYTES,
      id: z.string(),
      class: z.literal(name),
      part: z.enum(Object.keys(CLASSES[name].parts)),
      how: z.string(),
      lie: z.literal(isLies(name)),
      sender: z.string(),
      now: Time,
      started: Time,
      earlier: z.array(z.strictObject({ ...BYTES, now: Time }).refine(isOne, ONE)).optional(),
      held: z
        .strictObject({
          tree: z.string().optional(),
          files: z.record(z.string(), z.string().nullable()).optional(),
        })
        .optional(),
      fresh: z.string().optional(),
      acts: Count,
      resolver: z.string().nullable().optional(),
    })
    .refine(isOne, ONE)
    .refine(
      ({ id, part }) => new RegExp(`^${name}\\.${part}\\.\\d\\d$`).test(id),
      'its id is not of its class and part',
    );

const By = z.enum(['executor', 'agent']);
const Terms = z.strictObject({
  subject: z.string(),
  intent: z.string(),
  expires_at: z.string(),
  delegable: z.boolean(),
  caveats: z.array(z.strictObject({ field: z.string(), op: z.string(), value: z.unknown() })),
});
const TEXT = z.string();
const AT = Count.optional();

/** A line of acts.jsonl. */
export const ActShape = z.discriminatedUnion('did', [
  z.strictObject({
    did: z.literal('ran'),
    by: By,
    run: TEXT,
    suite: TEXT,
    exit: z.number().nullable(),
    tree: TEXT,
    at: AT,
  }),
  z.strictObject({ did: z.literal('reached'), by: By, run: TEXT, host: TEXT, status: z.number(), at: AT }),
  z.strictObject({ did: z.literal('wrote'), by: By, run: TEXT, path: TEXT, digest: TEXT, at: AT }),
  z.strictObject({ did: z.literal('spelled'), run: TEXT, as: z.enum(['effect', 'url']), spelled: TEXT, at: Count }),
  z.strictObject({
    did: z.literal('answered'),
    run: TEXT,
    call: TEXT,
    tool: TEXT,
    args: Members,
    answer: TEXT,
    who: z.enum(['person', 'agent', 'self', 'unmapped', 'nobody']),
    person: TEXT.nullable(),
    at: Count,
  }),
  z.strictObject({
    did: z.literal('granted'),
    run: TEXT,
    tenant: TEXT,
    grant: TEXT,
    parent: TEXT.nullable(),
    call: TEXT.nullable(),
    terms: Terms,
  }),
  z.strictObject({ did: z.literal('signed'), run: TEXT, agent: TEXT, text: TEXT }),
  z.strictObject({ did: z.literal('delivered'), text: TEXT, to: TEXT }),
]);

/** The event of a line of a journal, as far as it is read. */
export const EventShape = z.looseObject({
  type: TEXT,
  run_id: TEXT,
  run_seq: Count,
  tenant: TEXT,
  source: TEXT,
  data: Members,
});
