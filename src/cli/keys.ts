import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { encodeBase64 } from '../base/base64.ts';
import { defaultKeyFile } from '../store/config.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { generateKey, type PublicKey, readPublicKey } from '../store/keys.ts';
import { emit, json, table } from './output.ts';

export const publicFileOf = (privateFile: string): string => `${privateFile.replace(/\.pem$/, '')}.pub.pem`;

const described = ({ key_id, publicKey }: PublicKey) => ({ key_id, public_key: encodeBase64(publicKey) });

/** `forensictrace keys generate`. */
export const runGenerate = (options: { readonly out?: string; readonly json?: boolean }): number => {
  const privateFile = options.out ?? defaultKeyFile();
  const publicFile = publicFileOf(privateFile);
  try {
    mkdirSync(dirname(privateFile), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw EnvironmentFault.of(error, `cannot make the folder of ${privateFile}`);
  }
  const made = {
    ...described(generateKey(privateFile, publicFile)),
    private_key_file: privateFile,
    public_key_file: publicFile,
  };
  emit(
    options.json
      ? json(made)
      : table([
          ['key', made.key_id],
          ['private', `${privateFile}  (keep it secret; mode 0600)`],
          ['public', publicFile],
          ['next', `forensictrace trust add --signer NAME --key ${publicFile}`],
        ]),
  );
  return 0;
};

/** `forensictrace keys show`: id and public half of a key file. */
export const runShow = (file: string | undefined, options: { readonly json?: boolean }): number => {
  const key = described(readPublicKey(file ?? defaultKeyFile()));
  emit(
    options.json
      ? json(key)
      : table([
          ['key', key.key_id],
          ['public', key.public_key],
        ]),
  );
  return 0;
};
