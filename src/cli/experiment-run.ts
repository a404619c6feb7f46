import type { ChooserPlan } from '../../harness/experiment/choosers/choosers.ts';
import type { Backend, Schedule } from '../../harness/experiment/model.ts';
import { PYTHON_STAGE } from '../../harness/experiment/python-stage.ts';
import { runExperiment } from '../../harness/experiment/run.ts';
import { JS_STAGE } from '../../harness/experiment/stage.ts';
import { UsageFault } from './exit.ts';
import { faultsText, judgeResults } from './experiment-results.ts';
import { emit, json } from './output.ts';
import { progressOn } from './progress.ts';

export type ExperimentRunOptions = {
  readonly chooser: Backend;
  readonly model?: string;
  readonly host: string;
  readonly digest?: string;
  readonly binary?: string;
  readonly library?: string;
  readonly agents: 'js' | 'python';
  readonly seed: string;
  readonly repetitions?: string;
  readonly name: string;
  readonly json?: boolean;
};

const planOf = (options: ExperimentRunOptions): ChooserPlan => {
  const { chooser, model, host, digest, binary, library } = options;
  if (chooser === 'scripted' || chooser === 'constant' || chooser === 'random') {
    // A reader of the command would take the results for those of the model it names.
    const given = (['model', 'digest', 'binary', 'library'] as const).find((name) => options[name] !== undefined);
    if (given !== undefined) throw new UsageFault(`--chooser ${chooser} asks no model: leave out --${given}`);
    return { backend: chooser };
  }
  if (model === undefined) throw new UsageFault(`--chooser ${chooser} needs a model`, ['Name it with --model']);
  return chooser === 'embedded'
    ? { backend: chooser, model, library: library ?? null }
    : { backend: chooser, model, host, digest: digest ?? null, binary: binary ?? null };
};

const repetitionsOf = (text: string | undefined): { readonly repetitions?: number } => {
  if (text === undefined) return {};
  const repetitions = Number(text);
  if (Number.isInteger(repetitions) && repetitions >= 1 && repetitions <= 1_000) return { repetitions };
  throw new UsageFault(`--repetitions ${text}: a whole number from 1 to 1000 is needed`);
};

const runKind = async (kind: Schedule['kind'], root: string, options: ExperimentRunOptions): Promise<number> => {
  const { name, seed, agents } = options;
  const progress = progressOn(process.stderr);
  const layout = await runExperiment(
    {
      root,
      name,
      kind,
      seed,
      ...repetitionsOf(options.repetitions),
      chooser: planOf(options),
      stage: agents === 'python' ? PYTHON_STAGE : JS_STAGE,
    },
    (done, of) => progress.step(done, of, 'runs'),
  );
  progress.end();
  const { faults, exitCode, summary } = await judgeResults(root, { name });
  const where = { traces: layout.traces, receipts: layout.receipts };
  emit(options.json ? json({ ...where, summary, exit_code: exitCode, faults }) : `${summary}\n${faultsText(faults)}`);
  return exitCode;
};

/** `forensictrace experiment pilot`: the 24 runs that are counted nowhere. Returns the exit code of their verification from disk. */
export const runPilot = (root: string, options: ExperimentRunOptions): Promise<number> =>
  runKind('pilot', root, options);

/** `forensictrace experiment run`: all runs, or what is left of them. Returns the exit code of their verification from disk. */
export const runWhole = (root: string, options: ExperimentRunOptions): Promise<number> => runKind('run', root, options);
