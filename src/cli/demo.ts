import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Demo } from '../../harness/demo/demo.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { EXIT } from './exit.ts';
import { emit, json, table } from './output.ts';
import { progressOn } from './progress.ts';

const HEAD = ['scenario', 'family', 'scripted action', 'expected', 'verdict', 'finding', 'affected record'];

const shortened = (verdict: string): string => verdict.replace('FORENSICALLY_', '');

const textOf = ({ rows, tampering, asExpected }: Demo, kept: string | undefined): string => {
  const lines = rows.map((row) => [
    row.name,
    row.family,
    row.action,
    shortened(row.expected.verdict),
    shortened(row.verdict),
    row.findings.map(({ reason }) => reason).join(', ') || '-',
    row.findings.map(({ record }) => record).join(', ') || '-',
    String(row.records),
    String(row.edges),
    row.asExpected ? 'yes' : 'NO',
  ]);
  const { name, offset, from, to, record, verdict, refusals } = tampering;
  return [
    'Real A2A SDK clients and servers on loopback; no model: the actions are scripted.\n\n',
    table([[...HEAD, 'records', 'edges', 'as expected'], ...lines]),
    `\nThen byte ${offset} of ${name}.bundle.json was changed from "${from}" to "${to}", in ${record}: `,
    `${verdict} (${refusals.map((refusal) => `${refusal.reason} ${refusal.record ?? ''}`.trimEnd()).join('; ')})\n`,
    `\n${asExpected ? 'All as expected.' : 'NOT as expected.'}\n`,
    ...(kept === undefined ? [] : [`Bundles, receipts, trust store and journals are in ${kept}\n`]),
  ].join('');
};

/** Makes the folder to keep everything in; refuses one that holds anything. */
const folderToKeep = (folder: string): string => {
  try {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length === 0) return folder;
  } catch (error) {
    throw EnvironmentFault.of(error, `cannot use the folder ${folder}`);
  }
  throw new EnvironmentFault(`the folder ${folder} is not empty; name another with --keep`);
};

/** `forensictrace demo`: returns 0 when every verdict is the expected one, else 2. */
export const runDemoCommand = async (options: { readonly keep?: string; readonly json?: boolean }): Promise<number> => {
  const { runDemo } = await import('../../harness/demo/demo.ts');
  const folder =
    options.keep === undefined ? mkdtempSync(join(tmpdir(), 'forensictrace-demo-')) : folderToKeep(options.keep);
  try {
    const progress = progressOn(process.stderr);
    const demo = await runDemo(folder, progress.step);
    progress.end();
    emit(options.json ? json(demo) : textOf(demo, options.keep));
    return demo.asExpected ? EXIT.CONSISTENT : EXIT.COULD_NOT_CHECK;
  } finally {
    if (options.keep === undefined) rmSync(folder, { recursive: true });
  }
};
