import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EnvironmentFault } from '../../../src/index.ts';
import { packageRoot } from '../../documents.ts';
import type { PcmDecision } from './pcm.ts';
import type { Context, Receiver } from './receiver.ts';

export const SECOND = 'PCM (second verifier)';

/** The result of the second verifier, whose reasons stand together. */
export type SecondOutcome = { readonly verdict: string; readonly reasons: readonly string[] };

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const questionOf = (
  message: Uint8Array,
  { trust, schemas, me, now, started, strict = false, earlier }: Context,
): string =>
  JSON.stringify({
    message: base64(message),
    trust: base64(trust),
    schemas: schemas.map(base64),
    me,
    strict,
    now,
    replay: {
      started,
      max_nonces: 4096,
      prior: earlier.map(({ bytes, now: then }) => ({ message: base64(bytes), now: then, me })),
    },
  });

const decisionOf = (line: string): PcmDecision<SecondOutcome> => {
  const outcome = JSON.parse(line) as SecondOutcome;
  if (outcome.verdict === 'config-error')
    throw new Error(`a document of the receiver is refused: ${outcome.reasons[0]}`);
  const accepted = outcome.verdict === 'accept';
  return { accepted, decidedBy: accepted ? null : outcome.reasons[0]!, outcome };
};

type SecondVerifier = Receiver<PcmDecision<SecondOutcome>> & { readonly close: () => void };

/**
 * Starts the verifier that was written in Python from docs/PCM.md alone (tests/interop/pcm), which answers line by line until it is closed. A message rejects with
 * EnvironmentFault when the process has ended.
 */
export const openSecondVerifier = (): SecondVerifier => {
  const cwd = packageRoot();
  const python = join(cwd, '.venv', 'bin', 'python');
  const child = spawn(python, ['-B', 'tests/interop/pcm/oracle.py', '--batch'], {
    cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  let ended: Error | null = null;
  const end = (why: string): void => {
    ended ??= new EnvironmentFault(`the second verifier is not there: ${why}`, ['npm test makes its environment']);
    for (const { reject } of waiting.splice(0)) reject(ended);
  };
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(line));
  child.on('error', ({ message }) => end(message));
  child.on('close', (status) => end(`it ended with ${status}`));
  child.stdin.on('error', ({ message }) => end(message));
  const ask = (line: string): Promise<string> =>
    new Promise((resolve, reject) => {
      if (ended !== null) return reject(ended);
      waiting.push({ resolve, reject });
      child.stdin.write(`${line}\n`);
    });
  return {
    name: SECOND,
    source: 'docs/PCM.md',
    checks: [],
    receive: async (message, context) => decisionOf(await ask(questionOf(message, context))),
    close: () => child.stdin.end(),
  };
};
