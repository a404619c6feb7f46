import { neutralise } from '../base/terminal.ts';
import { isTimestamp } from '../base/time.ts';
import { defaultTrustFile } from '../store/config.ts';
import { readPublicKey } from '../store/keys.ts';
import { addKey, initTrust, loadTrust, retireKey, revokeKey } from '../store/trust-file.ts';
import { UsageFault } from './exit.ts';
import { emit, json, table } from './output.ts';

type Common = { readonly trust?: string; readonly json?: boolean };

const fileOf = (options: Common): string => options.trust ?? defaultTrustFile(process.env);

const timeOf = (text: string | undefined, option: string): string => {
  if (text === undefined) return new Date().toISOString();
  if (!isTimestamp(text)) throw new UsageFault(`${option} ${text} is not a time like 2026-01-31T00:00:00.000Z`);
  return text;
};

/** Prints the store after a change, so that what was written is what is seen. */
const show = (options: Common): number => {
  const file = fileOf(options);
  const store = loadTrust(file);
  if (options.json) {
    emit(json(store));
    return 0;
  }
  const rows = store.signers.flatMap(({ signer_id, keys }) =>
    keys.map((key) => [
      signer_id,
      key.key_id,
      key.revocation_reason === undefined ? key.status : `${key.status} (${key.revocation_reason})`,
      key.valid_from,
      key.revoked_at ?? key.valid_until ?? '-',
    ]),
  );
  emit(`trust store ${neutralise(file)}\n`);
  emit(
    rows.length === 0
      ? 'no keys: no receipt is accepted\n'
      : table([['signer', 'key', 'status', 'from', 'until'], ...rows]),
  );
  return 0;
};

export const runTrustShow = show;

export const runTrustInit = (options: Common): number => {
  initTrust(fileOf(options));
  return show(options);
};

export type AddOptions = Common & {
  readonly signer: string;
  readonly key: string;
  readonly from?: string;
  readonly until?: string;
};

export const runTrustAdd = (options: AddOptions): number => {
  const valid_from = timeOf(options.from, '--from');
  const validity =
    options.until === undefined ? { valid_from } : { valid_from, valid_until: timeOf(options.until, '--until') };
  addKey(fileOf(options), options.signer, readPublicKey(options.key), validity);
  return show(options);
};

export const runTrustRetire = (keyId: string, options: Common & { readonly until?: string }): number => {
  retireKey(fileOf(options), keyId, timeOf(options.until, '--until'));
  return show(options);
};

export type RevokeOptions = Common & {
  readonly at?: string;
  readonly reason: 'compromise' | 'superseded' | 'cessation';
};

export const runTrustRevoke = (keyId: string, options: RevokeOptions): number => {
  revokeKey(fileOf(options), keyId, timeOf(options.at, '--at'), options.reason);
  return show(options);
};
