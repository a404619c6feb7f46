import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Fixture, Lab } from './fixture.ts';

/** Verifiers of others that a run can be held against. */
export const PEERS = ['paper-python'] as const;
export type PeerName = (typeof PEERS)[number];

const SCRIPT = ['peer/serve.py', '../../bench/peer/serve.py']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find(existsSync);
const VENV = '.venv/bin/python';

/** A process that verifies the same files and times itself, between the runs of ours. */
export class Peer {
  readonly version: string;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly lines: AsyncIterator<string>;
  private readonly folder: string;

  private constructor(
    child: ChildProcessWithoutNullStreams,
    lines: AsyncIterator<string>,
    folder: string,
    version: string,
  ) {
    this.child = child;
    this.lines = lines;
    this.folder = folder;
    this.version = version;
  }

  /** Starts it; throws Error with what it said when it cannot run. */
  static async start({ files }: Lab): Promise<Peer> {
    const folder = mkdtempSync(join(tmpdir(), 'forensictrace-bench-'));
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
    const child = spawn(existsSync(VENV) ? VENV : 'python3', [SCRIPT ?? 'serve.py', folder]);
    let complaint = '';
    child.stderr.on('data', (text) => {
      complaint += text;
    });
    child.on('error', (error) => {
      complaint += error.message;
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const first = await lines.next();
    if (first.done === true) throw new Error(`the Python peer did not start: ${complaint.trim()}`);
    return new Peer(child, lines, folder, first.value);
  }

  /** Hands it a bundle under a name. */
  async load(name: string, { files }: Fixture): Promise<void> {
    writeFileSync(join(this.folder, `${name}.bundle`), files.bundle);
    writeFileSync(join(this.folder, `${name}.receipt`), files.receipt);
    await this.ask({ load: name });
  }

  /** Milliseconds of each of so many verifications of a bundle it has, from objects or from bytes. */
  async times(name: string, source: 'objects' | 'bytes', repeats: number): Promise<readonly number[]> {
    return (await this.ask({ time: name, source, repeats })) as number[];
  }

  stop(): void {
    this.child.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async ask(question: object): Promise<unknown> {
    this.child.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await this.lines.next();
    const answer = done === true ? null : (JSON.parse(value) as { readonly ok?: unknown; readonly error?: string });
    if (answer === null || answer.error !== undefined)
      throw new Error(`the Python peer: ${answer?.error ?? 'it ended'}`);
    return answer.ok;
  }
}
