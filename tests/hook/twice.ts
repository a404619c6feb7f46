import { execFile } from 'node:child_process';
import { expect } from 'vitest';
import type { Asked, Peer } from './peers.ts';
import type { Captured, CaptureOptions, Lab } from './support.ts';

/** By case: what it told, step by step. */
type Transcript = Readonly<Record<string, readonly (readonly unknown[])[]>>;

const alone = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { env: { PATH: process.env.PATH, ...env }, maxBuffer: 1 << 28 };
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(stderr)),
    );
  });

/**
 * Runs a program that prints a transcript twice, by itself and captured: it must print the same, and ask its peer for the same.
 * Returns the captured run, the transcript and what the peer was asked for.
 */
export const twice = async (
  lab: Lab,
  incident: string,
  args: readonly string[],
  { peer, env = {}, ...options }: CaptureOptions & { readonly peer?: Peer } = {},
): Promise<Captured & { readonly transcript: Transcript; readonly asked: Asked }> => {
  const expected = JSON.parse(await alone(args, env)) as Transcript;
  const expectedAsked = peer?.asked();
  const captured = await lab.capture(incident, ['node', ...args], { env, ...options });
  const transcript = JSON.parse(captured.stdout) as Transcript;
  expect(Object.keys(expected).length).toBeGreaterThan(0);
  expect(transcript).toEqual(expected);
  const asked = peer?.asked() ?? {};
  expect(asked).toEqual(expectedAsked ?? {});
  expect(captured.code).toBe(0);
  return { ...captured, transcript, asked };
};
