import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Crypto } from '../base/crypto.ts';
import type { CardBook } from './card-book.ts';
import type { Redactor } from './redact.ts';
import type { Observer, Session } from './session.ts';
import type { Trail } from './trail.ts';

/** What every tap of one capture shares. */
export type CaptureContext = {
  readonly session: Session;
  readonly redactor: Redactor;
  readonly crypto: Crypto;
  /** Bytes kept of one body. */
  readonly bodyLimit: number;
  readonly trail: Trail;
  /** Who makes the observations that no tap makes. */
  readonly reporter: Extract<Observer, 'application' | 'harness'>;
  readonly cards: CardBook;
  /** What the code that runs now is part of. */
  readonly scope: AsyncLocalStorage<Scope>;
};

/** Carried along the asynchronous context, so that a request knows which endpoint it uses and an event which exchange caused it. */
export type Scope = {
  readonly endpoint?: { readonly endpoint_id: string; readonly agent: string | null };
  /** The exchange that this process is serving. */
  readonly serving?: string;
  /** Collects the exchanges that code sends. */
  readonly sent?: string[];
  /** Collects the exchanges that one call of a transport sends, to be told of the error it ends in. */
  readonly calls?: { failed(error: unknown): void }[];
  /** Collects the card that a resolver fetches. */
  readonly fetched?: { card_id: string | null };
};

/** Runs work with something added to the scope it is in. */
export const within = <T>({ scope }: CaptureContext, added: Scope, work: () => T): T =>
  scope.run({ ...scope.getStore(), ...added }, work);
