import type { Chooser } from '../chooser.ts';
import type { Backend, CHOOSER_ROLES, ModelOptions, Settings } from '../model.ts';
import { constantChooser, contentFreeChooser, randomChooser } from './controls.ts';
import type { EmbeddedOptions } from './embedded.ts';
import type { Model, OllamaOptions } from './ollama.ts';
import { scriptedChooser } from './scripted.ts';

type Role = (typeof CHOOSER_ROLES)[number];

/** Which chooser acts, and where its model is. */
export type ChooserPlan =
  | { readonly backend: 'scripted' | 'constant' | 'random' }
  | ({ readonly backend: 'ollama' | 'content-free' } & OllamaOptions)
  | ({ readonly backend: 'embedded' } & EmbeddedOptions);

/** The choosers of an experiment, and the part of its settings that says what they are. */
export type Choosers = {
  readonly settings: Settings['chooser'];
  /** Who is asked for a run, by role. The seed is all that a random chooser is told of it. */
  forRun(seed: string): readonly (readonly [Role, Chooser])[];
  close(): Promise<void>;
};

/** Greedy, and on one thread: a reply that depends on neither chance nor load. */
export const MODEL_OPTIONS: ModelOptions = { seed: 42, temperature: 0, num_ctx: 1024, num_predict: 32, num_thread: 1 };

const openModel = async (plan: ChooserPlan): Promise<Model | null> => {
  if (plan.backend === 'embedded') return (await import('./embedded.ts')).openEmbedded(plan, MODEL_OPTIONS);
  if (plan.backend === 'ollama' || plan.backend === 'content-free')
    return (await import('./ollama.ts')).openOllama(plan, MODEL_OPTIONS);
  return null;
};

const actingChooser = (backend: Backend, model: Model | null, seed: string): Chooser => {
  if (backend === 'scripted') return scriptedChooser;
  if (backend === 'constant') return constantChooser;
  if (backend === 'random') return randomChooser(`acting ${seed}`);
  return backend === 'content-free' ? contentFreeChooser(model!.chooser) : model!.chooser;
};

/** Opens the chooser that acts and those that are asked beside it. Throws EnvironmentFault when a model cannot be reached. */
export const openChoosers = async (plan: ChooserPlan): Promise<Choosers> => {
  const { backend } = plan;
  const model = await openModel(plan);
  return {
    settings: {
      backend,
      model: model?.identity ?? null,
      options: model === null ? null : MODEL_OPTIONS,
      server: model?.server ?? null,
    },
    forRun: (seed) => [
      ['acting', actingChooser(backend, model, seed)],
      ['constant', constantChooser],
      ['random', randomChooser(seed)],
      ...(model === null ? [] : [['content-free', contentFreeChooser(model.chooser)] as const]),
    ],
    close: async () => model?.close(),
  };
};
