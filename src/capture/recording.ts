import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isId } from '../base/grammar.ts';
import type { JsonObject } from '../base/json-value.ts';
import { VERSION } from '../base/version.ts';
import { MAX_BODY_LIMIT } from '../evidence/body.ts';
import { COVERAGE_SUBJECTS, type CoverageSubject } from '../evidence/records/trace.ts';
import { deriveEdges } from '../relate/derive.ts';
import { familiesDigest, profileDigest, settingsDigest } from '../seal/digests.ts';
import type { Signer } from '../seal/receipt.ts';
import { EnvironmentFault } from '../store/fault.ts';
import { finalize, type Sealed } from '../store/finalize.ts';
import { createJournal, type Journal } from '../store/journal.ts';
import { nativeCrypto } from '../store/native-crypto.ts';
import { CardBook } from './card-book.ts';
import type { CaptureContext } from './context.ts';
import { Redactor } from './redact.ts';
import { Session } from './session.ts';
import { Trail } from './trail.ts';

const DEFAULT_BODY_LIMIT = 4 * 1024 * 1024;

export type RecordingOptions = {
  /** Folder for journal, bundle and receipt; made when it is not there. */
  readonly dir: string;
  /** Names the files as well: `<incident_id>.journal`, `.bundle.json`, `.receipt.json`. */
  readonly incident_id: string;
  readonly profile_id: string;
  /** Bytes kept of one body, at most 12 MiB. */
  readonly bodyLimit?: number;
  /** Software that took part, beside this library and Node. */
  readonly versions?: readonly { readonly name: string; readonly version: string }[];
  /** What the application reports by observers, also where nothing happens: else a subject counts as watched from its first report on. */
  readonly watches?: readonly CoverageSubject[];
  /** What this capture cannot see, in words. */
  readonly notes?: readonly string[];
  /** Who calls the observers and fetches URIs: by default the application itself, or a harness around it. */
  readonly reporter?: CaptureContext['reporter'];
  /** Values that must never be written down. */
  readonly secrets?: readonly string[];
};

/** What a receipt is made from. */
export type FinishOptions = {
  readonly signer: () => Signer;
  readonly profile: JsonObject;
  readonly families?: readonly JsonObject[];
  readonly settings?: JsonObject;
};
export type Finished = Sealed & { readonly bundlePath: string; readonly receiptPath: string };

/** One incident while it is recorded: what every tap shares, and how it ends. */
export type Recording = {
  readonly context: CaptureContext;
  readonly journalPath: string;
  /** Ends the recording, writes bundle and receipt. Throws what signer and file system throw; the journal is kept, and it may be called again. */
  finish(options: FinishOptions): Finished;
  /** Ends the recording without sealing it: the journal can be sealed later, where the key is. */
  stop(): void;
  /** Ends a recording in which nothing can have happened, and leaves no journal. */
  discard(): void;
};

const beginJournal = ({ dir, incident_id }: RecordingOptions, path: string, results: readonly string[]): Journal => {
  const taken = `capture ${incident_id} exists already in ${join(dir, '/')}: choose another name or folder`;
  if (results.some((file) => existsSync(file))) throw new EnvironmentFault(taken);
  try {
    mkdirSync(dir, { recursive: true });
    return createJournal(path, nativeCrypto);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(path)) throw new EnvironmentFault(taken);
    throw EnvironmentFault.of(error, `cannot begin the capture ${path}`);
  }
};

/**
 * Opens the record of one incident. Throws EnvironmentFault when the folder or the journal cannot be made, or a capture of that name
 * is there already, and RangeError for a body limit over 12 MiB or an id outside the grammar of FORMAT.md section 3.
 */
export const openRecording = (options: RecordingOptions): Recording => {
  const { dir, incident_id, profile_id, bodyLimit = DEFAULT_BODY_LIMIT } = options;
  if (bodyLimit > MAX_BODY_LIMIT) throw new RangeError(`a body limit of ${bodyLimit} bytes is over ${MAX_BODY_LIMIT}`);
  if (!isId(incident_id) || !isId(profile_id))
    throw new RangeError('incident_id and profile_id are 1..128 of [A-Za-z0-9._:-]');
  const pathOf = (ending: string): string => join(dir, `${incident_id}.${ending}`);
  const journalPath = pathOf('journal');
  const journal = beginJournal(options, journalPath, [pathOf('bundle.json'), pathOf('receipt.json')]);
  const session: Session = new Session({
    incident_id,
    profile_id,
    capture_backend: `forensictrace-${VERSION}`,
    versions: [
      { name: 'forensictrace', version: VERSION },
      { name: 'node', version: process.versions.node },
      ...(options.versions ?? []),
    ],
    coverage: Object.fromEntries(
      COVERAGE_SUBJECTS.map((subject) => [subject, options.watches?.includes(subject) ?? false]),
    ) as Record<CoverageSubject, boolean>,
    coverage_notes: options.notes ?? [],
    clock: Date.now,
    random: randomBytes,
    sink: journal.append,
  });
  const context: CaptureContext = {
    session,
    redactor: new Redactor((what, count) => session.redacted(what, count), options.secrets),
    crypto: nativeCrypto,
    bodyLimit,
    trail: new Trail(() => session.gap('more URIs were named than are remembered: the oldest are not followed')),
    reporter: options.reporter ?? 'application',
    cards: new CardBook(),
    scope: new AsyncLocalStorage(),
  };
  let stopped = false;
  const stop = (): void => {
    if (stopped) return;
    session.end();
    journal.close();
    stopped = true;
  };
  return {
    context,
    journalPath,
    stop,
    discard: () => {
      stop();
      rmSync(journalPath);
    },
    finish: ({ signer, profile, families = [], settings = {} }) => {
      if (profile.profile_id !== profile_id) throw new RangeError(`the capture was made for profile ${profile_id}`);
      stop();
      const [bundlePath, receiptPath] = [pathOf('bundle.json'), pathOf('receipt.json')];
      const sealed = finalize({
        journal: journalPath,
        bundle: bundlePath,
        receipt: receiptPath,
        signer,
        statement: {
          profile_digest: profileDigest(profile, nativeCrypto),
          families_digest: familiesDigest(families, nativeCrypto),
          settings_digest: settingsDigest(settings, nativeCrypto),
        },
        clock: Date.now,
        derive: deriveEdges,
        crypto: nativeCrypto,
      });
      return { ...sealed, bundlePath, receiptPath };
    },
  };
};
