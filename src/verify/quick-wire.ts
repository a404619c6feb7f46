import type { Crypto } from '../base/crypto.ts';
import type { Records } from '../evidence/bundle.ts';
import type { BundleIds } from '../evidence/id-index.ts';
import { NO_ROW, namedRows } from '../evidence/named-rows.ts';
import type { RowTable } from '../evidence/row-table.ts';
import type { ScannedBundle } from '../evidence/scan-bundle.ts';
import { PlainWire } from './plain-wire.ts';

/** The rows of a table by the exchange that they name: of each exchange the first, and of each row the next. */
class ByExchange {
  private readonly first: Int32Array;
  private readonly next: Int32Array;
  /** Rows that name no exchange. */
  readonly others: readonly number[];

  constructor(table: RowTable, { exchanges }: BundleIds) {
    const { rows } = namedRows(table, 'exchange_id', exchanges);
    const others: number[] = [];
    this.first = new Int32Array(exchanges.ids.length).fill(NO_ROW);
    this.next = new Int32Array(table.length);
    for (let row = table.length - 1; row >= 0; row--) {
      const exchange = rows[row]!;
      if (exchange === NO_ROW) others.push(row);
      else {
        this.next[row] = this.first[exchange]!;
        this.first[exchange] = row;
      }
    }
    this.others = others.reverse();
  }

  every(exchange: number, holds: (row: number) => boolean): boolean {
    for (let row = this.first[exchange]!; row !== NO_ROW; row = this.next[row]!) if (!holds(row)) return false;
    return true;
  }

  *of(exchange: number): Iterable<number> {
    for (let row = this.first[exchange]!; row !== NO_ROW; row = this.next[row]!) yield row;
  }
}

/**
 * Takes records; returns those whose wire text is still to be judged by `checkWireText`: all but exchanges that are plain, and what is read off their texts
 * save references. Of these nothing would be refused.
 */
export const unsettledByText = (tables: ScannedBundle, ids: BundleIds, records: Records, crypto: Crypto): Records => {
  const wire = new PlainWire(tables, crypto);
  const transitions = new ByExchange(tables.task_transitions, ids);
  const artifacts = new ByExchange(tables.artifacts, ids);
  const left: number[] = [];
  for (let row = 0; row < tables.exchanges.length; row++) {
    const isSettled =
      wire.isExchange(row) &&
      transitions.every(row, (transition) => wire.isTransition(transition)) &&
      artifacts.every(row, (artifact) => wire.isArtifact(artifact));
    if (!isSettled) left.push(row);
  }
  const rowsOf = (group: ByExchange): number[] => [...group.others, ...left.flatMap((row) => [...group.of(row)])];
  return {
    ...records,
    exchanges: left.map((row) => records.exchanges[row]!),
    task_transitions: rowsOf(transitions).map((row) => records.task_transitions[row]!),
    artifacts: rowsOf(artifacts).map((row) => records.artifacts[row]!),
  };
};
