import type { Finding, PcmResult } from '../pcm/finding.ts';
import { PCM_REASONS } from '../pcm/reasons.ts';
import type { PcmVerdict } from '../pcm/result.ts';
import { type PcmSchema, readPcmSchema } from '../pcm/schema.ts';
import { pcmLine } from '../pcm/text.ts';
import { readPcmTrust } from '../pcm/trust.ts';
import { verifyMessage } from '../pcm/verify.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { readInput } from '../store/read.ts';
import { emit, json } from './output.ts';
import { type ExtensionOptions, extensionsOf } from './pcm-extensions.ts';

/** The exit codes of `pcm verify`: those of PCM's own verifier, not the table of the other commands. */
export const PCM_EXIT: Readonly<Record<PcmVerdict, number>> = {
  accept: 0,
  reject: 1,
  'bad-input': 2,
  'accept-unproven': 3,
};

export type PcmVerifyOptions = ExtensionOptions & {
  readonly trust: string;
  readonly schema: readonly string[];
  readonly me?: string;
  readonly strict?: boolean;
  readonly json?: boolean;
};

/** Where and what of a finding: a detail may begin with its place. */
export const placed = ({ at, detail, reason }: Finding): string =>
  `${at === '' ? '' : ` at ${at}`}: ${detail.startsWith(`${at}: `) ? detail.slice(at.length + 2) : detail} (${reason})`;

const refusal = (what: string, file: string, finding: Finding): EnvironmentFault =>
  new EnvironmentFault(`the ${what} ${file} is refused${placed(finding)}`, [PCM_REASONS[finding.reason].next]);

/** The receiver's own documents: one that is refused is no verdict about the message. */
const accepted = <T>(read: PcmResult<T>, what: string, file: string): T => {
  if (read.ok) return read.value;
  throw refusal(what, file, read.findings[0]);
};

const schemaFrom = (file: string): PcmSchema =>
  accepted(readPcmSchema(readInput(file, 'schema document'), nativeCrypto), 'schema document', file);

/** `forensictrace pcm verify`: reads the named files only, keeps no replay state, opens no socket. */
export const runPcmVerify = (message: string, options: PcmVerifyOptions): number => {
  const { me, strict = false } = options;
  const extensions = extensionsOf(options);
  const receiver = {
    trust: accepted(
      readPcmTrust(readInput(options.trust, 'trust document'), nativeCrypto),
      'trust document',
      options.trust,
    ),
    schemas: options.schema.map(schemaFrom),
    strict,
    ...(me === undefined ? {} : { me }),
    ...(extensions === undefined ? {} : { extensions }),
  };
  const outcome = verifyMessage(readInput(message, 'message'), receiver, null, nativeCrypto);
  emit(options.json ? json(outcome) : `${pcmLine(outcome)}\n`);
  return PCM_EXIT[outcome.verdict];
};

/** `forensictrace pcm schema ref`: the name by which messages call a schema document. */
export const runPcmSchemaRef = (file: string, options: { readonly json?: boolean }): number => {
  const { ref } = schemaFrom(file);
  emit(options.json ? json({ ref }) : `${ref}\n`);
  return 0;
};
