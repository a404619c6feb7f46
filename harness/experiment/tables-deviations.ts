import type { Evaluation } from './evaluate.ts';
import type { Settings } from './model.ts';

/** What the paper's evaluation was made with: where results differ from it, the caption of each table says so. */
const PAPER = {
  sdk: 'a2a-sdk 1.1.0 of Python, message/send',
  model: 'llama3.2:3b by Ollama 0.32.4',
  machine: 'Windows 11, Intel Core i7-13700H, 32 GiB, Python 3.13.3',
  runs: 240,
} as const;

const GIB = 1024 ** 3;

const chooserOf = ({ chooser: { backend, model, options, server } }: Settings): string => {
  if (model === null) return `no model took part, the action of each run came from the ${backend} chooser`;
  const build = server?.build ?? 'build not known';
  const by = server === null ? backend : `${server.name} ${server.version} (${build})`;
  const asked = options === null ? '' : `, temperature ${options.temperature}, seed ${options.seed}`;
  return `${model.name} (sha256 ${model.digest.slice(0, 12)}) by ${by}${asked}`;
};

/** One sentence that names each way in which the results were made otherwise than the paper's. */
export const deviationsOf = ({ settings, schedule }: Evaluation): string => {
  const { sdk, machine } = settings;
  const parts = [
    `client ${sdk.client} and server ${sdk.server} on the path ${sdk.path} (paper: both ${PAPER.sdk})`,
    `${chooserOf(settings)} (paper: ${PAPER.model})`,
    `${machine.platform}, ${machine.processor}, ${Math.round(machine.memory_bytes / GIB)} GiB, Node ${machine.node} (paper: ${PAPER.machine})`,
    ...(schedule.runs.length === PAPER.runs
      ? []
      : [`${schedule.runs.length} ${schedule.kind === 'pilot' ? 'pilot ' : ''}runs (paper: ${PAPER.runs})`]),
    'latency measured where these tables were made, from the bytes of bundle and receipt on, so that reading them as JSON is part of it (paper: after both were loaded)',
  ];
  return `Other than in the paper: ${parts.join('; ')}.`;
};
