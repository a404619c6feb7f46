import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Bundle } from '../evidence/bundle.ts';
import { deriveEdges } from '../relate/derive.ts';
import { familiesDigest, profileDigest, settingsDigest } from '../seal/digests.ts';
import { assemble } from '../store/assemble.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { sealInto } from '../store/finalize.ts';
import { readJournal, writerOf } from '../store/journal.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { readFolder, readInput } from '../store/read.ts';
import { isRunning } from '../store/writer.ts';
import { readFamilies, readProfile, readSettings } from '../verify/documents.ts';
import { EXIT, UsageFault } from './exit.ts';
import { nextCommand } from './next-command.ts';
import { emit, json, table } from './output.ts';
import { accepted, type SigningOptions, signerFor } from './signing.ts';

export type RecoverOptions = SigningOptions & {
  readonly profile: string;
  readonly families?: string;
  readonly settings?: string;
  readonly out?: string;
  readonly json?: boolean;
};

const MAX_GAPS_TOLD = 100;

/** What the journal holds. Throws UsageFault while the capture still runs: its evidence is not complete, and would be told as cut off. */
const bundleOf = (journal: string): Bundle => {
  try {
    const writer = writerOf(journal, nativeCrypto);
    const first = readJournal(journal, nativeCrypto).next();
    if (first.done || first.value.kind !== 'begin') {
      throw new UsageFault(`${journal} ends before it says which capture it is of: there is nothing to seal`);
    }
    const bundle = assemble(readJournal(journal, nativeCrypto), deriveEdges, nativeCrypto);
    if (bundle.trace_metadata[0]?.ended !== 'recovered' || writer === null || !isRunning(writer)) return bundle;
    throw new UsageFault(`the capture of ${journal} still runs, in process ${writer.pid}; nothing was written`, [
      'Let it end with finish() or stop(), or stop the process; then run this again.',
    ]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw EnvironmentFault.of(error, `cannot read the journal ${journal}`);
  }
};

const requireProfileOf = ({ trace_metadata: [trace] }: Bundle, profile_id: string, file: string): void => {
  if (trace?.profile_id === profile_id) return;
  throw new UsageFault(
    `the capture was made for profile ${trace?.profile_id}, and ${file} is ${profile_id}; nothing was written`,
    [`Name the profile file of ${trace?.profile_id} with --profile: a receipt under another fits no profile.`],
  );
};

/**
 * `forensictrace recover`: seals the journal of a capture that was killed, or that was stopped unsealed; returns the exit code.
 * Whatever can be wrong is found before the first file is written.
 */
export const runRecover = (journal: string, options: RecoverOptions): number => {
  const folder = options.out ?? dirname(journal);
  const name = basename(journal).replace(/\.journal$/, '');
  const paths = { bundle: join(folder, `${name}.bundle.json`), receipt: join(folder, `${name}.receipt.json`) };
  for (const file of Object.values(paths)) {
    if (existsSync(file)) throw new UsageFault(`${file} exists and is not overwritten; name another folder with --out`);
  }
  const profile = accepted(readProfile(readInput(options.profile, 'profile')));
  const families =
    options.families === undefined ? [] : accepted(readFamilies(readFolder(options.families, 'families')));
  const settings =
    options.settings === undefined ? {} : accepted(readSettings(readInput(options.settings, 'settings')));
  const signer = signerFor(options);
  const bundle = bundleOf(journal);
  requireProfileOf(bundle, profile.value.profile_id, options.profile);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw EnvironmentFault.of(error, `cannot make the folder ${folder}`);
  }
  const { receipt } = sealInto(bundle, {
    ...paths,
    signer: () => signer,
    statement: {
      profile_digest: profileDigest(profile.document, nativeCrypto),
      families_digest: familiesDigest(
        families.map(({ document }) => document),
        nativeCrypto,
      ),
      settings_digest: settingsDigest(settings, nativeCrypto),
    },
    clock: Date.now,
    crypto: nativeCrypto,
  });
  const [trace] = bundle.trace_metadata;
  const { incident_id, profile_id, commitment_count } = receipt.body;
  const made = { ...paths, incident_id, ended: trace?.ended, commitments: commitment_count, profile_id };
  const gaps = trace?.gaps.map(({ what }) => what) ?? [];
  const next = nextCommand(paths, options);
  emit(options.json ? json({ ...made, gaps, next }) : told(made, gaps, next));
  return EXIT.CONSISTENT;
};

const told = (made: object, gaps: readonly string[], next: string): string => {
  const rows = Object.entries(made).map(([name, value]) => [name, String(value)]);
  const gapRows = gaps.slice(0, MAX_GAPS_TOLD).map((what) => ['gap', what]);
  const more =
    gaps.length > MAX_GAPS_TOLD ? [['gap', `and ${gaps.length - MAX_GAPS_TOLD} more; --json lists all`]] : [];
  const bound = gaps.length === 0 ? [] : [['', 'a capture with gaps is INCONCLUSIVE at best, or INDICATED']];
  return table([...rows, ...gapRows, ...more, ['next', next], ...bound]);
};
