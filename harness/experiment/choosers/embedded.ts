import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EnvironmentFault } from '../../../src/index.ts';
import type { Chooser } from '../chooser.ts';
import type { ModelOptions } from '../model.ts';
import { promptDigest, promptOf } from '../prompt.ts';
import type { Model } from './ollama.ts';

export type EmbeddedOptions = {
  /** The weights: a GGUF file. */
  readonly model: string;
  /** Folder whose `node_modules` has node-llama-cpp; null: it is installed beside this package. */
  readonly library: string | null;
};

/** What is used of node-llama-cpp 3.21.1, a peer that need not be installed. */
type Library = {
  readonly getLlama: (options: object) => Promise<{
    loadModel(options: { readonly modelPath: string }): Promise<{
      createContext(options: object): Promise<{ getSequence(): unknown }>;
    }>;
    createGrammarForJsonSchema(schema: object): Promise<object>;
    readonly buildType: string;
    readonly llamaCppRelease: { readonly release: string };
    dispose(): Promise<void>;
  }>;
  readonly LlamaChatSession: new (options: {
    readonly contextSequence: unknown;
  }) => {
    resetChatHistory(): void;
    prompt(text: string, options: object): Promise<string>;
  };
};

const VERSION = '3.21.1';

const load = async (library: string | null): Promise<Library> => {
  const entry =
    library === null
      ? 'node-llama-cpp'
      : pathToFileURL(join(library, 'node_modules', 'node-llama-cpp', 'dist', 'index.js')).href;
  try {
    return (await import(entry)) as Library;
  } catch (error) {
    throw new EnvironmentFault(`node-llama-cpp cannot be loaded: ${(error as Error).message}`, [
      'scripts/setup-embedded.sh DIR installs it; name DIR with --library',
    ]);
  }
};

/** A model in this process, from its weights. Throws EnvironmentFault when library or weights cannot be loaded. */
export const openEmbedded = async ({ model, library }: EmbeddedOptions, options: ModelOptions): Promise<Model> => {
  const { getLlama, LlamaChatSession } = await load(library);
  const llama = await getLlama({ gpu: false, build: 'never', maxThreads: options.num_thread });
  const loaded = await llama.loadModel({ modelPath: model });
  const context = await loaded.createContext({
    contextSize: options.num_ctx,
    sequences: 1,
    threads: options.num_thread,
  });
  const session = new LlamaChatSession({ contextSequence: context.getSequence() });
  const chooser: Chooser = async (question) => {
    const prompt = promptOf(question);
    session.resetChatHistory();
    const reply = await session.prompt(prompt.message, {
      grammar: await llama.createGrammarForJsonSchema(prompt.format),
      temperature: options.temperature,
      seed: options.seed,
      maxTokens: options.num_predict,
    });
    return { reply, prompt_sha256: promptDigest(prompt) };
  };
  const weights = readFileSync(model);
  const digest = createHash('sha256').update(weights).digest('hex');
  return {
    chooser,
    identity: {
      name: basename(model),
      digest,
      layers: [{ media_type: 'application/vnd.ollama.image.model', digest, size: weights.length }],
    },
    server: {
      name: 'node-llama-cpp',
      version: VERSION,
      binary_sha256: null,
      build: `${llama.buildType} llama.cpp ${llama.llamaCppRelease.release}`,
    },
    close: () => llama.dispose(),
  };
};
