import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvironmentFault, VERSION } from '../../../src/index.ts';
import { packageRoot } from '../../documents.ts';
import { CLASSES, NAMES } from '../classes.ts';
import type { ClassName } from '../dataset.ts';
import { writeDataset } from '../files.ts';
import { preregistration } from '../preregistration.ts';
import { anotherCall, nobody } from './classes/approvals.ts';
import { attempts, bare } from './classes/attempts.ts';
import { dressed } from './classes/dressed.ts';
import { edited } from './classes/edited.ts';
import { anotherLog, anotherRun } from './classes/elsewhere.ts';
import { encodings } from './classes/encodings.ts';
import { fabricated } from './classes/fabricated.ts';
import { misdirected, widened } from './classes/grants.ts';
import { agentWord, honest, neutral } from './classes/honest.ts';
import { replayed, unsigned } from './classes/message-lies.ts';
import { misused } from './classes/misused.ts';
import { stale } from './classes/stale.ts';
import { Desk, ME } from './desk.ts';
import { DOCUMENTS } from './schemas.ts';

const MAKERS: Readonly<Record<ClassName, (desk: Desk) => Promise<void>>> = {
  L1: fabricated,
  L2: edited,
  L3: anotherRun,
  L4: anotherLog,
  L5: misused,
  L6: unsigned,
  L7: replayed,
  L8: dressed,
  L9: attempts,
  L10: stale,
  L11: bare,
  L12: anotherCall,
  L13: nobody,
  L14: widened,
  L15: misdirected,
  L16: encodings,
  honest,
  T1: agentWord,
  neutral,
};

/** Throws unless a class has the sizes of the pre-registration: what cannot be made is not left out. */
const requireSizes = (name: ClassName, { messages }: Desk): void => {
  for (const [part, size] of Object.entries(CLASSES[name].parts)) {
    const made = messages.filter((message) => message.class === name && message.part === part).length;
    if (made !== size) throw new Error(`${name}.${part} has ${made} messages, and is to have ${size}`);
  }
};

const versionOf = (program: string): string => {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
  } catch (error) {
    throw EnvironmentFault.of(error, `cannot run ${program}, with which suites are run: npm test sets it up`);
  }
};

const madeWith = (): Record<string, string> => {
  const root = packageRoot();
  const [pytest, vitest] = [join(root, '.venv', 'bin', 'pytest'), join(root, 'node_modules', '.bin', 'vitest')];
  for (const program of [pytest, vitest])
    if (!existsSync(program))
      throw new EnvironmentFault(`there is no ${program}, with which suites are run: npm test sets it up`);
  return {
    forensictrace: VERSION,
    node: process.version,
    pytest: versionOf(pytest),
    vitest: versionOf(vitest),
    git: versionOf('git'),
  };
};

export type GenerateOptions = {
  readonly seed: string;
  readonly out: string;
  /** The classes to make; default: all. */
  readonly classes?: readonly ClassName[];
};

/** Makes a dataset in real runs of signers, and writes it into a folder. `progress` is told how many classes are made. */
export const generate = async (
  { seed, out, classes = NAMES }: GenerateOptions,
  progress: (done: number, of: number) => void = () => {},
): Promise<Readonly<Record<string, number>>> => {
  const made = madeWith();
  const folder = mkdtempSync(join(tmpdir(), 'lies-'));
  const desk = await Desk.open(seed, folder);
  try {
    for (const [done, name] of classes.entries()) {
      progress(done, classes.length);
      desk.turnTo(name);
      await MAKERS[name](desk);
      requireSizes(name, desk);
    }
    const places = [desk.main, desk.second, desk.own];
    const pinned = places.slice(0, 2);
    const counts = Object.fromEntries(
      classes.map((name) => [name, desk.messages.filter((message) => message.class === name).length]),
    );
    const head = {
      format: 'forensictrace.lies.v1' as const,
      seed,
      preregistration: preregistration(),
      me: ME,
      trust: { logs: pinned.map(({ vkey }) => vkey) },
      schemas: Object.values(DOCUMENTS),
      logs: places.map((place) => ({ name: place.name, vkey: place.vkey, pinned: pinned.includes(place) })),
      counts,
      madeWith: made,
    };
    const journals = Object.fromEntries(places.map(({ name, journal }) => [name, readFileSync(journal, 'utf8')]));
    writeDataset(out, head, { messages: desk.messages, acts: desk.acts, journals });
    return counts;
  } finally {
    await desk.close();
    rmSync(folder, { recursive: true });
  }
};
