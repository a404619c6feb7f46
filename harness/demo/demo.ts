import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addKey, type Family, generateKey, initTrust, type Report, readSigner } from '../../src/index.ts';
import { readDocuments } from '../documents.ts';
import { type Run, runPlay, type Venue, verifyRun } from './run.ts';
import { PLAYS } from './scenarios.ts';
import { editOneByte } from './tamper.ts';

const SIGNER = 'forensictrace-demo';

/** One line of the demo's table. */
type Row = {
  readonly name: string;
  readonly family: Family;
  readonly action: string;
  readonly expected: { readonly verdict: Report['verdict']; readonly findings: readonly string[] };
  readonly verdict: Report['verdict'];
  readonly findings: readonly { readonly reason: string; readonly record: string }[];
  readonly records: number;
  readonly edges: number;
  readonly asExpected: boolean;
};

/** What became of the bundle in which one byte was changed. */
type Tampering = {
  readonly name: string;
  readonly offset: number;
  readonly from: string;
  readonly to: string;
  readonly record: string;
  readonly verdict: Report['verdict'];
  /** What the verifier refused; a record is named where the refusal is about one. */
  readonly refusals: readonly { readonly reason: string; readonly record: string | null }[];
  readonly asExpected: boolean;
};

/** Called before each scenario: how many are done, of how many, and which is next. */
type Progress = (done: number, of: number, next: string) => void;

export type Demo = { readonly rows: readonly Row[]; readonly tampering: Tampering; readonly asExpected: boolean };

/**
 * Makes a signing key in a folder of its own, which is deleted at the end, a trust store with its public half in
 * `folder/receipts`, and hands both to the work.
 */
export const withVenue = async <T>(folder: string, work: (venue: Venue) => Promise<T>): Promise<T> => {
  const keys = mkdtempSync(join(tmpdir(), 'forensictrace-key-'));
  try {
    const privateKey = join(keys, 'key.pem');
    const publicKey = generateKey(privateKey, join(keys, 'key.pub.pem'));
    const trust = join(folder, 'receipts', 'trust.json');
    mkdirSync(join(folder, 'receipts'), { recursive: true });
    initTrust(trust);
    addKey(trust, SIGNER, publicKey, { valid_from: new Date().toISOString() });
    return await work({ folder, trust, signer: () => readSigner(privateKey, SIGNER), documents: readDocuments() });
  } finally {
    rmSync(keys, { recursive: true });
  }
};

/**
 * The whole demo: twelve scenarios captured, signed, reloaded and verified, then one byte of one bundle changed. Nothing
 * is asked of a model: the actions are scripted. What it leaves is in `folder`.
 */
export const runDemo = (folder: string, progress: Progress = () => {}): Promise<Demo> =>
  withVenue(folder, async (venue) => {
    const runs: Run[] = [];
    for (const play of PLAYS) {
      progress(runs.length, PLAYS.length, play.name);
      runs.push(await runPlay(play, venue));
    }
    const rows = runs.map((run) => rowOf(run, verifyRun(run, venue), venue));
    const tampering = tamper(runs, venue);
    return { rows, tampering, asExpected: tampering.asExpected && rows.every((row) => row.asExpected) };
  });

const rowOf = ({ play }: Run, report: Report, { documents }: Venue): Row => {
  const { name, scenario, side } = play;
  const { expected_finding } = documents.definition(scenario.family);
  const expected =
    side === 'condition'
      ? ({ verdict: 'FORENSICALLY_INDICATED', findings: [expected_finding] } as const)
      : ({ verdict: 'FORENSICALLY_CONSISTENT', findings: [] } as const);
  const findings = report.findings.map(({ reason, affected }) => ({
    reason,
    record: `${affected.type} ${affected.id}`,
  }));
  const others = report.families.filter(({ family }) => family !== scenario.family);
  return {
    name,
    family: scenario.family,
    action: scenario.script[side],
    expected,
    verdict: report.verdict,
    findings,
    records: report.records ?? 0,
    edges: report.edges ?? 0,
    asExpected:
      report.verdict === expected.verdict &&
      findings.map(({ reason }) => reason).join() === expected.findings.join() &&
      others.every(({ status }) => status === 'CONSISTENT' || status === 'NOT_OBSERVED'),
  };
};

/** The edit that an attacker would want: the address that the agent was sent to, by one digit. */
const tamper = (runs: readonly Run[], venue: Venue): Tampering => {
  const run = runs.find(({ play }) => play.scenario.family === 'ASRF' && play.side === 'condition')!;
  const id = verifyRun(run, venue).findings[0]?.affected.id ?? '';
  const { bytes, ...edit } = editOneByte(readFileSync(run.evidence.bundle), 'dereference_id', id, '169.254.169.254');
  const report = verifyRun(run, venue, 'full', bytes);
  const refusals = report.refusals.map(({ reason, at }) => ({
    reason,
    record: at.collection === undefined ? null : `${at.collection} ${at.id}`,
  }));
  const record = `uri_dereferences ${id}`;
  return {
    name: run.play.name,
    ...edit,
    record,
    verdict: report.verdict,
    refusals,
    asExpected: report.verdict === 'INTEGRITY_REFUSED' && refusals.some((refusal) => refusal.record === record),
  };
};
