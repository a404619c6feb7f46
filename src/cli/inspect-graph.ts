import type { JsonObject } from '../base/json-value.ts';
import { neutralise } from '../base/terminal.ts';
import { type Paint, PLAIN } from '../report/layout.ts';
import { type Tree, type TreeRow, treeOf } from '../report/tree.ts';
import { EXIT, UsageFault } from './exit.ts';
import { emit, json } from './output.ts';
import { paintFor } from './paint.ts';

/** Below this a cut line says nothing any more. */
const NARROWEST = 40;
/** Below this the relations would leave no room for the records. */
const WITH_RELATIONS = 100;

type Screen = { readonly width: number; readonly paint: Paint };
type Part = { readonly text: string; readonly paint?: (text: string) => string };

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** The rails that lead to each row: whether a branch goes on is known from the rows after it. */
const railsOf = (rows: readonly TreeRow[]): readonly string[] => {
  const open: boolean[] = [];
  const rails = Array.from(rows, ({ depth }) => depth)
    .reverse()
    .map((depth) => {
      const through = Array.from({ length: Math.max(0, depth - 1) }, (_, at) => (open[at + 1] ? '│  ' : '   ')).join(
        '',
      );
      const rail = depth === 0 ? '' : `${through}${open[depth] ? '├─ ' : '└─ '}`;
      open[depth] = true;
      open.length = depth + 1;
      return rail;
    });
  return rails.reverse();
};

/** Neutralised parts on one line that ends with the screen. */
const lineOf = (parts: readonly Part[], { width }: Screen): string => {
  let room = width;
  const told = parts.map(({ text, paint = PLAIN.bold }) => {
    const letters = Array.from(neutralise(text));
    const shown = letters.length <= room ? letters : room === 0 ? [] : [...letters.slice(0, room - 1), '…'];
    room -= shown.length;
    return shown.length === 0 ? '' : paint(shown.join(''));
  });
  return told.join('').trimEnd();
};

const rowLine = (row: TreeRow, rail: string, screen: Screen): string => {
  const { bold, dim } = screen.paint;
  const relation = row.relation === null || screen.width < WITH_RELATIONS ? '' : `${row.relation} → `;
  const more = row.below === 0 ? '' : `  (${row.below} more below: --graph ${row.id})`;
  const under = row.under === null ? '' : `  (also under ${row.under})`;
  return lineOf(
    [
      { text: rail, paint: dim },
      { text: relation, paint: dim },
      { text: row.id, paint: bold },
      { text: `  ${row.line}` },
      { text: under + more, paint: dim },
    ],
    screen,
  );
};

const textOf = ({ rows, left, apart }: Tree, screen: Screen): string => {
  const rails = railsOf(rows);
  return [
    'Nothing below was checked: run forensictrace verify.',
    '',
    ...rows.map((row, at) => rowLine(row, rails[at]!, screen)),
    ...(rows.length === 0 ? ['The bundle has no exchange.'] : []),
    ...(left === 0 ? [] : [`… and ${counted(left, 'more line')}`]),
    ...(apart === 0 ? [] : ['', `${counted(apart, 'record')} not below these; inspect --list lists all records.`]),
    '',
  ].join('\n');
};

const screenOf = (out: string | undefined): Screen => {
  const width =
    out === undefined && process.stdout.isTTY ? Math.max(NARROWEST, process.stdout.columns) : Number.POSITIVE_INFINITY;
  return { width, paint: out === undefined ? paintFor(process.stdout) : PLAIN };
};

/** `forensictrace inspect --graph [ID]`: what derives from the exchanges, or from the records of one id, as a tree. Throws UsageFault on an unknown id. */
export const showGraph = (
  bundle: JsonObject,
  root: string | true,
  { json: asJson, out }: { readonly json?: boolean; readonly out?: string },
): number => {
  const tree = treeOf(bundle, root === true ? null : root);
  if (root !== true && tree.rows.length === 0)
    throw new UsageFault(`the bundle has no record ${root}; inspect --list lists them`);
  emit(asJson ? json(tree) : textOf(tree, screenOf(out)), out);
  return EXIT.CONSISTENT;
};
