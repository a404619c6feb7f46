import { createHash } from 'node:crypto';
import type { Act } from './acts.ts';

/** Classes of lies, and what else is in the dataset. */
export const LIES = [
  'L1',
  'L2',
  'L3',
  'L4',
  'L5',
  'L6',
  'L7',
  'L8',
  'L9',
  'L10',
  'L11',
  'L12',
  'L13',
  'L14',
  'L15',
  'L16',
] as const;
export const OTHERS = ['honest', 'T1', 'neutral'] as const;
export type ClassName = (typeof LIES)[number] | (typeof OTHERS)[number];

/** What the receiver acts on, seen where it stands when the message arrives: the git tree of the project, and the bytes of files by their SHA-256. */
export type Held = {
  readonly tree?: string;
  readonly files?: Readonly<Record<string, string | null>>;
};

/** Bytes that arrived: as text when they are UTF-8, else as base64. */
export type Bytes = { readonly text: string } | { readonly base64: string };

export type Message = Bytes & {
  readonly id: string;
  readonly class: ClassName;
  readonly part: string;
  /** What was done, for a reader. */
  readonly how: string;
  readonly lie: boolean;
  /** Who sends, whoever the message says it is from. */
  readonly sender: string;
  readonly now: string;
  readonly started: string;
  /** What the receiver got before. */
  readonly earlier?: readonly (Bytes & { readonly now: string })[];
  readonly held?: Held;
  /** The same message with fresh evidence, where its sender shows it (docs/PCM-EXTENSIONS.md). */
  readonly fresh?: string;
  /** How many acts had been done when it arrived. */
  readonly acts: number;
  /** How the resolver of the machine reads a spelling; null where it would have to ask the network. It decides nothing. */
  readonly resolver?: string | null;
};

/** What is the same for every message, and what the dataset was made from. */
export type Head = {
  readonly format: 'forensictrace.lies.v1';
  readonly seed: string;
  /** SHA-256 of the pre-registration. */
  readonly preregistration: string;
  readonly me: string;
  readonly trust: { readonly logs: readonly string[] };
  readonly schemas: readonly object[];
  readonly logs: readonly { readonly name: string; readonly vkey: string; readonly pinned: boolean }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly madeWith: Readonly<Record<string, string>>;
  /** SHA-256 of each file of the dataset. */
  readonly files: Readonly<Record<string, string>>;
};

/** A record of a log: the signer's hash, and the event. */
export type Logged = {
  readonly hash: string;
  readonly event: {
    readonly type: string;
    readonly run_id: string;
    readonly run_seq: number;
    readonly tenant: string;
    readonly source: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
};

export type Dataset = {
  readonly head: Head;
  readonly messages: readonly Message[];
  readonly acts: readonly Act[];
  /** The journal of each log, by its name. */
  readonly journals: Readonly<Record<string, readonly Logged[]>>;
};

export const bytesOf = (message: Bytes): Uint8Array =>
  'text' in message ? Buffer.from(message.text) : Buffer.from(message.base64, 'base64');

export const digestOf = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
