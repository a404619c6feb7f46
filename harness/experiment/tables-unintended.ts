import type { Evaluation } from './evaluate.ts';
import { isAsItShould } from './evaluate.ts';
import type { Table } from './tables.ts';

export const unintendedTable = ({ runs }: Evaluation): Table => ({
  id: 'unintended',
  title: 'Runs that did not go as intended, or were not judged as they went',
  caption:
    'Conditions in which the condition was not observed, controls in which it was, runs that failed, and runs whose verdict, finding or ablation is not what ' +
    'the external outcome calls for. The verifier is scored against what did happen.',
  columns: [
    { key: 'run', title: 'run' },
    { key: 'family', title: 'family' },
    { key: 'run_type', title: 'run type' },
    { key: 'action', title: 'action' },
    { key: 'observed', title: 'observed' },
    { key: 'expected', title: 'expected' },
    { key: 'verdict', title: 'verdict' },
    { key: 'agrees', title: 'agrees' },
    { key: 'localised', title: 'localised' },
    { key: 'failure', title: 'failure' },
  ],
  rows: runs
    .filter((evaluated) => !evaluated.intended || !isAsItShould(evaluated))
    .map(({ run, outcome, expected, verdicts, agrees, localised }) => [
      run.run_id,
      run.family,
      run.side,
      outcome.action,
      yesNo(outcome.observed),
      expected,
      verdicts.full,
      yesNo(agrees),
      localised === null ? null : yesNo(localised),
      outcome.failure,
    ]),
});

const yesNo = (is: boolean): string => (is ? 'yes' : 'no');
