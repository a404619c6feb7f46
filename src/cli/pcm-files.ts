import { basename } from 'node:path';
import { readInput } from '../store/read.ts';
import type { PcmFiles } from '../verify/pcm-documents.ts';
import { UsageFault } from './exit.ts';

/** Documents of proof-carrying messages, as a command that verifies bundles is given them. */
export type PcmFileOptions = { readonly pcmTrust?: string; readonly pcmSchema?: readonly string[] };

/** The files that are named. Throws UsageFault on schemas without keys: no message could be verified. */
export const pcmFileNames = ({ pcmTrust, pcmSchema = [] }: PcmFileOptions): readonly string[] => {
  if (pcmTrust !== undefined) return [pcmTrust, ...pcmSchema];
  if (pcmSchema.length > 0) throw new UsageFault('--pcm-schema is read with --pcm-trust alone');
  return [];
};

/** Reads the files, if any are named. Throws EnvironmentFault on one that cannot be read. */
export const pcmFilesOf = ({ pcmTrust, pcmSchema = [] }: PcmFileOptions): { readonly pcm?: PcmFiles } =>
  pcmTrust === undefined
    ? {}
    : {
        pcm: {
          trust: readInput(pcmTrust, 'trust document of PCM'),
          schemas: pcmSchema.map((file) => ({ name: basename(file), bytes: readInput(file, 'schema document') })),
        },
      };
