import { availableParallelism } from 'node:os';
import { median, quantile } from '../harness/figures/statistics.ts';
import { requireConsistent } from './consistent.ts';
import { type Fixture, fixtureOf, type Lab, openLab } from './fixture.ts';
import { floorOf } from './floor.ts';
import { type LargeRow, timeLarge } from './large.ts';
import { Peer, type PeerName } from './peer.ts';
import type { Mix } from './workload/bundle.ts';
import { randomOf } from './workload/random.ts';

/** The sizes of the paper's experiment, in commitments. */
export const PAPER_SIZES = [10, 50, 100, 250, 500, 805, 1000] as const;
export const LARGEST = 1_000_000;
/** What is timed: from objects (the paper's boundary), from the bytes of the files, and the hashes and the signature alone. */
export const BOUNDARIES = ['objects', 'bytes', 'floor'] as const;
export type Boundary = (typeof BOUNDARIES)[number];

export type Repeats = { readonly batches: number; readonly warmUps: number; readonly timed: number };
/** As the paper has it: 5 × 100 timed verifications of each size. */
export const PAPER_REPEATS: Repeats = { batches: 5, warmUps: 10, timed: 100 };
/** A bundle beyond this size is verified fewer times, from its file alone: its objects are more than memory should hold. */
const LARGE_BEYOND = 10_000;

export type Plan = {
  readonly sizes: readonly number[];
  readonly mix: Mix;
  readonly seed: number;
  readonly peer: PeerName | null;
  readonly repeats: Repeats;
};

/** Milliseconds. */
export type Timing = { readonly median: number; readonly p95: number; readonly runs: number };
export type Row = {
  readonly commitments: number;
  readonly bytes: number;
  /** Hashes of the floor, none twice. */
  readonly hashes: number;
  readonly ours: Readonly<Record<Boundary, Timing>>;
  readonly peer: Readonly<Record<'objects' | 'bytes', Timing>> | null;
};
export type Scaling = {
  readonly plan: Plan;
  readonly environment: Readonly<Record<'node' | 'platform' | 'arch' | 'python', string | null>> & {
    readonly cores: number;
  };
  readonly rows: readonly Row[];
  /** Of the sizes beyond. */
  readonly large: readonly LargeRow[];
};

/** How far a run is: so many of so many, and with what. */
export type Progress = (done: number, of: number, what: string) => void;

type Samples = Map<string, number[]>;
type Case = { readonly fixture: Fixture; readonly floor: () => number; readonly samples: Samples };

const add = (samples: Samples, key: string, times: readonly number[]): void => {
  samples.set(key, [...(samples.get(key) ?? []), ...times]);
};

const timed = (run: () => void, { warmUps, timed: runs }: Repeats): number[] => {
  for (let at = 0; at < warmUps; at++) run();
  return Array.from({ length: runs }, () => {
    const start = process.hrtime.bigint();
    run();
    return Number(process.hrtime.bigint() - start) / 1e6;
  });
};

const runsOf = ({ verifier }: Lab, { fixture, floor }: Case): Readonly<Record<Boundary, () => void>> => ({
  objects: () => requireConsistent(verifier.verifyValues({ ...fixture.values, inputs: [] }), fixture.commitments),
  bytes: () => requireConsistent(verifier.verifyFiles(fixture.files), fixture.commitments),
  floor,
});

const timingOf = (times: readonly number[]): Timing => ({
  median: median(times),
  p95: quantile(times, 0.95),
  runs: times.length,
});

const rowOf = ({ fixture, floor, samples }: Case, withPeer: boolean): Row => {
  const of = (key: string): Timing => timingOf(samples.get(key)!);
  return {
    commitments: fixture.commitments,
    bytes: fixture.files.bundle.length,
    hashes: floor(),
    ours: { objects: of('objects'), bytes: of('bytes'), floor: of('floor') },
    peer: withPeer ? { objects: of('peer objects'), bytes: of('peer bytes') } : null,
  };
};

/**
 * Runs the paper's scaling experiment: each size in batches of shuffled order, warm-ups, then timed verifications; ours, the floor and the peer
 * take turns on the same bundles within each batch. Making, signing, and loading are not timed. Throws Error when one run does not verify.
 */
export const runScaling = async (plan: Plan, progress: Progress): Promise<Scaling> => {
  const lab = openLab();
  const peer = plan.peer === null ? null : await Peer.start(lab);
  try {
    const cases = new Map<number, Case>();
    const sizes = plan.sizes.filter((size) => size <= LARGE_BEYOND);
    for (const size of sizes) {
      progress(cases.size, sizes.length, `making ${size} commitments`);
      const fixture = fixtureOf(lab, size, plan.mix, plan.seed);
      cases.set(size, { fixture, floor: floorOf(lab, fixture), samples: new Map() });
      await peer?.load(String(size), fixture);
    }
    const random = randomOf(plan.seed);
    for (let batch = 0; batch < plan.repeats.batches; batch++) {
      for (const size of random.shuffled(sizes)) {
        progress(batch + 1, plan.repeats.batches, `batches: ${size} commitments`);
        await timeCase(lab, cases.get(size)!, peer, plan.repeats, random.shuffled(BOUNDARIES));
      }
    }
    const large: LargeRow[] = [];
    for (const size of plan.sizes.filter((beyond) => beyond > LARGE_BEYOND)) {
      progress(large.length + 1, plan.sizes.length - sizes.length, `from its file: ${size} commitments`);
      large.push(await timeLarge(lab, size, plan));
    }
    return {
      plan,
      environment: {
        node: process.versions.node,
        platform: process.platform,
        arch: process.arch,
        python: peer?.version ?? null,
        cores: availableParallelism(),
      },
      rows: [...cases.values()].map((one) => rowOf(one, peer !== null)),
      large,
    };
  } finally {
    peer?.stop();
  }
};

const timeCase = async (
  lab: Lab,
  one: Case,
  peer: Peer | null,
  repeats: Repeats,
  order: readonly Boundary[],
): Promise<void> => {
  const runs = runsOf(lab, one);
  const name = String(one.fixture.commitments);
  for (const boundary of order) {
    add(one.samples, boundary, timed(runs[boundary], repeats));
    if (peer === null || boundary === 'floor') continue;
    await peer.times(name, boundary, repeats.warmUps);
    add(one.samples, `peer ${boundary}`, await peer.times(name, boundary, repeats.timed));
  }
};
