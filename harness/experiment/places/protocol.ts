import { createInterface } from 'node:readline';

/** One thing that a place says it saw or did, in its own log; `what` says which kind of thing. */
export type Entry = { readonly what: string; readonly [member: string]: unknown };

/** What a place is told when a run begins: where to reach what is outside of it. */
export type Surroundings = {
  /** Origin of the harness's egress, by which an agent sends and reads. */
  readonly egress: string;
  /** Origin of the queue, where workers are given out. */
  readonly queue: string;
  /** Version of A2A that the agents' cards offer. */
  readonly protocol: '1.0' | '0.3';
  /** The local setup of the run, by the family definition. */
  readonly parameters: Readonly<Record<string, string | number>>;
};

/** A service or agent of one run, made anew for each run and gone after it. */
export type Place = {
  /** The loopback port that it listens on. */
  readonly port: number;
  /** Its own account of the run so far. */
  readonly log: readonly Entry[];
  /** Does one thing that the harness asks of it by name. */
  readonly orders: Readonly<Record<string, (argument: number) => Promise<unknown>>>;
  close(): Promise<void>;
};

type Request = { readonly id: number; readonly order: string; readonly argument?: unknown };

/**
 * Serves the harness over standard input and output, one JSON value a line: `open` makes the place of a run, `close` ends it and gives its log,
 * any other order goes to it. Requests may overlap; a failed one is answered with its error.
 */
export const servePlace = (open: (surroundings: Surroundings) => Promise<Place>): void => {
  let place: Place | null = null;
  const answer = async ({ order, argument }: Request): Promise<unknown> => {
    if (order === 'open') {
      place = await open(argument as Surroundings);
      return place.port;
    }
    const current = place;
    if (current === null) throw new Error('no run has been opened');
    if (order === 'close') {
      place = null;
      await current.close();
      return current.log;
    }
    return (await current.orders[order]!(argument as number)) ?? null;
  };
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const request = JSON.parse(line) as Request;
      answer(request).then(
        (value) => process.stdout.write(`${JSON.stringify({ id: request.id, value })}\n`),
        (error: unknown) =>
          process.stdout.write(`${JSON.stringify({ id: request.id, error: (error as Error).message })}\n`),
      );
    })
    // The harness has gone: nothing that it started stays.
    .on('close', () => process.exit());
};
