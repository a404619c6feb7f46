import { REASONS } from '../base/reasons.ts';
import { FLEET_REASONS } from '../fleet/reasons.ts';
import type { AnyReason } from '../fleet/result.ts';
import type { Selection } from '../fleet/selection.ts';
import type { Summary } from '../fleet/summary.ts';
import { verifyAll } from '../fleet/verify-all.ts';
import { readInput } from '../store/read.ts';
import { VERDICTS } from '../verify/outcome.ts';
import { UsageFault } from './exit.ts';
import { emit, json, requireNoInput, table } from './output.ts';
import { type PcmFileOptions, pcmFileNames, pcmFilesOf } from './pcm-files.ts';
import { progressOn } from './progress.ts';
import { trustFile } from './trust-file.ts';

export type VerifyAllOptions = PcmFileOptions & {
  readonly receipts?: string;
  readonly trust?: string;
  readonly profile?: string;
  readonly jobs?: string;
  readonly out?: string;
  readonly whereSigner?: readonly string[];
  readonly whereKey?: readonly string[];
  readonly whereReason?: readonly string[];
  readonly json?: boolean;
};

const MAX_JOBS = 256;
/** The JSON has them all. */
const SHOWN = 20;

const jobsOf = (text: string | undefined): { readonly jobs?: number } => {
  if (text === undefined) return {};
  const jobs = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
  if (jobs >= 1 && jobs <= MAX_JOBS) return { jobs };
  throw new UsageFault(`--jobs ${text}: a whole number from 1 to ${MAX_JOBS} is needed`);
};

const TITLES: Readonly<Record<AnyReason, { readonly title: string }>> = { ...REASONS, ...FLEET_REASONS };
const isReason = (code: string): code is AnyReason => Object.hasOwn(TITLES, code);

const selectionOf = ({ whereSigner = [], whereKey = [], whereReason = [] }: VerifyAllOptions): Selection => ({
  signers: whereSigner,
  keys: whereKey,
  reasons: whereReason.map((code) => {
    if (isReason(code)) return code;
    throw new UsageFault(`--where-reason ${code}: there is no such reason code`, ['forensictrace explain lists them']);
  }),
});

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const tableOf = <T>(head: readonly string[], rows: readonly T[], cells: (row: T) => readonly string[]): string => {
  if (rows.length === 0) return '';
  const more = rows.length > SHOWN ? `and ${rows.length - SHOWN} more\n` : '';
  return `\n${table([head, ...rows.slice(0, SHOWN).map(cells)])}${more}`;
};

const textOf = (summary: Summary): string => {
  const { pairs, selected, known, without_signer, exit_code, verdicts, reasons, agents, agents_not_listed } = summary;
  const seen = VERDICTS.filter((verdict) => verdicts[verdict] > 0);
  return [
    `${counted(pairs, 'pair')}${known === 0 ? '' : `, ${known} of them as an earlier run found, not verified again`}`,
    `${selected === pairs ? '' : `; ${selected} selected`}; exit code ${exit_code}\n`,
    selected < pairs && without_signer > 0
      ? `${counted(without_signer, 'pair')} without a readable receipt: nobody can say who signed them\n`
      : '',
    tableOf(['verdict', 'pairs'], seen, (verdict) => [verdict, String(verdicts[verdict])]),
    tableOf(['reason', 'pairs', 'title'], reasons, ({ reason, pairs: count }) => [
      reason,
      String(count),
      TITLES[reason].title,
    ]),
    tableOf(['agent', 'pairs', 'indicated', 'inconclusive', 'consistent'], agents, (row) => [
      row.agent,
      String(row.pairs),
      String(row.verdicts.FORENSICALLY_INDICATED),
      String(row.verdicts.INCONCLUSIVE),
      String(row.verdicts.FORENSICALLY_CONSISTENT),
    ]),
    agents_not_listed > 0 ? `agents not listed: ${agents_not_listed}\n` : '',
  ].join('');
};

/** `forensictrace verify-all`: returns the worst exit code of what is selected. Opens no socket. */
export const runVerifyAll = async (where: readonly string[], options: VerifyAllOptions): Promise<number> => {
  const { out, receipts, profile } = options;
  const files = where.filter((place) => !place.startsWith('@'));
  const lists = where.filter((place) => place.startsWith('@')).map((place) => place.slice(1));
  if (files.length > 0 && profile === undefined)
    throw new UsageFault('--profile is needed: a list alone can name profiles');
  const selection = selectionOf(options);
  const jobs = jobsOf(options.jobs);
  const trust = trustFile(options.trust);
  requireNoInput(out, [trust, profile, ...pcmFileNames(options), ...lists]);
  const progress = progressOn(process.stderr);
  const summary = await verifyAll({
    places: { files, lists, ...(receipts === undefined ? {} : { receipts }) },
    by: {
      trust: readInput(trust, 'trust store'),
      profile: profile === undefined ? null : { file: profile, bytes: readInput(profile, 'profile') },
      ...pcmFilesOf(options),
    },
    ...jobs,
    ...(out === undefined ? {} : { out }),
    selection,
    progress: (done, of) => progress.step(done, of, 'pairs'),
  });
  progress.end();
  emit(options.json ? json(summary) : textOf(summary));
  return summary.exit_code;
};
