import { execFile } from 'node:child_process';
import { expect } from 'vitest';
import type { Peer } from './peers.ts';
import type { Captured, CaptureOptions, Lab } from './support.ts';

type Transcript = Readonly<Record<string, readonly unknown[]>>;

const alone = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { env: { PATH: process.env.PATH, ...env }, maxBuffer: 1 << 28 };
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(stderr)),
    );
  });

/**
 * Runs a program that prints a transcript twice, by itself and captured: it must print the same, and ask its peer for the same.
 * Returns the captured run and the transcript.
 */
export const twice = async (
  lab: Lab,
  incident: string,
  args: readonly string[],
  { peer, env = {}, ...options }: CaptureOptions & { readonly peer?: Peer } = {},
): Promise<Captured & { readonly transcript: Transcript }> => {
  const expected = JSON.parse(await alone(args, env)) as Transcript;
  const expectedAsked = peer?.asked();
  const captured = await lab.capture(incident, ['node', ...args], { env, ...options });
  const transcript = JSON.parse(captured.stdout) as Transcript;
  expect(Object.keys(expected).length).toBeGreaterThan(0);
  expect(transcript).toEqual(expected);
  expect(peer?.asked()).toEqual(expectedAsked);
  expect(captured.code).toBe(0);
  return { ...captured, transcript };
};
