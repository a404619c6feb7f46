import * as z from 'zod';
import { ROLES } from './identity.ts';

const Name = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'a name is 1 to 64 letters, digits and . _ -');
const Id = z.string().regex(/^token:[A-Za-z0-9._-]{1,64}$/, 'an identity is token:NAME');
const Path = z.string().min(1);
const Seconds = z.number().int().min(1).max(86_400);
const Person = z.string().min(1).max(256);

/** Who a shell action runs as: another user, or, said out loud, the signer's own, whose files its commands can then read. */
const RunAs = z.union([z.literal('signer'), z.strictObject({ uid: z.number().int(), gid: z.number().int() })]);

/** An action of the executor: the name agents call it by, and what it does. */
export const ActionConfig = z.discriminatedUnion('does', [
  z.strictObject({
    does: z.literal('shell'),
    name: z.string().min(1).max(256),
    cwd: Path,
    run_as: RunAs,
    env: z.record(z.string(), z.string()).default({}),
    timeout_s: Seconds.default(600),
    /** Say of a test command which git tree it ran on (docs/PCM-EXTENSIONS.md section 2). */
    git_tree: z.boolean().default(false),
  }),
  z.strictObject({
    does: z.literal('http'),
    name: z.string().min(1).max(256),
    /** `host` or `host:port`, each as docs/PCM.md section 11 writes hosts: the executor stands inside the signer's network. */
    hosts: z.array(z.string().min(1)).min(1),
    timeout_s: Seconds.default(30),
  }),
  z.strictObject({ does: z.literal('write'), name: z.string().min(1).max(256), root: Path }),
]);
export type ActionConfig = z.infer<typeof ActionConfig>;

/** signer.json; its paths are relative to its own folder (docs/PCM-SIGNER.md section 3). */
export const ConfigDocument = z.strictObject({
  origin: z.string(),
  data_dir: Path,
  socket: Path,
  socket_mode: z
    .string()
    .regex(/^0[0-7]{3}$/, 'a mode is four octal digits, as "0600"')
    .default('0600'),
  policy: Path,
  identities: z
    .array(z.strictObject({ name: Name, role: z.enum(ROLES), token_file: Path, tenant: Name.default('default') }))
    .min(1),
  approvals: z
    .strictObject({
      approvers: z.array(Id).min(1),
      persons: z.record(Id, Person).default({}),
      self_approval: z.boolean().default(false),
      timeout_s: Seconds.default(3600),
    })
    .optional(),
  actions: z.array(ActionConfig).default([]),
  event_quota: z
    .strictObject({ events: z.number().int().min(1), window_s: Seconds })
    .default({ events: 600, window_s: 60 }),
});
export type ConfigDocument = z.infer<typeof ConfigDocument>;
