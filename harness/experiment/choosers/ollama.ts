import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { EnvironmentFault } from '../../../src/index.ts';
import type { Chooser } from '../chooser.ts';
import type { ModelIdentity, ModelOptions, ModelServer } from '../model.ts';
import { promptDigest, promptOf } from '../prompt.ts';

export type OllamaOptions = {
  readonly host: string;
  readonly model: string;
  /** The digest that the server must state for it, in hex; null: whichever it states is recorded. */
  readonly digest: string | null;
  /** The server's own program, where it can be read: another build chooses otherwise. */
  readonly binary: string | null;
};

export type Model = {
  readonly chooser: Chooser;
  readonly identity: ModelIdentity;
  readonly server: ModelServer;
  close(): Promise<void>;
};

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const Layer = z.object({ mediaType: z.string(), digest: z.string().startsWith('sha256:'), size: z.int() });
const Manifest = z.object({ config: Layer, layers: z.array(Layer) });

/**
 * The layers of a model, read from the server's store where that is on this machine, and only when the manifest there has the digest that the server
 * states. The store is found by the FROM line of the Modelfile that `/api/show` gives.
 */
const layersOf = (modelfile: string, name: string, digest: string): ModelIdentity['layers'] => {
  const store = /^FROM (\S+)\/blobs\/sha256-[0-9a-f]{64}$/m.exec(modelfile)?.[1];
  const [model = '', tag = 'latest'] = name.split(':');
  const file = `${store}/manifests/registry.ollama.ai/library/${model}/${tag}`;
  if (store === undefined || !existsSync(file)) return [];
  const bytes = readFileSync(file);
  if (sha256(bytes) !== digest) throw new EnvironmentFault(`${file} is not the manifest that the server speaks of`);
  const { config, layers } = Manifest.parse(JSON.parse(bytes.toString()));
  return [config, ...layers].map(({ mediaType, digest: layer, size }) => ({
    media_type: mediaType,
    digest: layer.slice('sha256:'.length),
    size,
  }));
};

const buildOf = (binary: string): string | null =>
  existsSync(`${binary}.build`) ? readFileSync(`${binary}.build`, 'utf8').trim() : null;

/**
 * A model of a running Ollama server. Throws EnvironmentFault when the server does not answer, does not have the model with that digest, or the binary cannot be
 * read.
 */
export const openOllama = async (
  { host, model, digest, binary }: OllamaOptions,
  options: ModelOptions,
): Promise<Model> => {
  const { Ollama } = await import('ollama');
  const client = new Ollama({ host });
  const asking = async <T>(what: string, ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      const { message } = EnvironmentFault.of(error, `the Ollama server at ${host} did not ${what}`);
      throw new EnvironmentFault(message, ['See whether it runs there; --host names another']);
    }
  };
  const { models } = await asking('list its models', () => client.list());
  const found = models.find(({ name }) => name === model || name === `${model}:latest`);
  if (found === undefined) {
    const names = models.map(({ name }) => name).join(', ') || 'none';
    throw new EnvironmentFault(`the Ollama server at ${host} has no model ${model}; it has: ${names}`);
  }
  if (digest !== null && found.digest !== digest)
    throw new EnvironmentFault(`the model ${model} of ${host} has digest ${found.digest}, not ${digest}`);
  const { modelfile } = await asking('show the model', () => client.show({ model }));
  const { version } = await asking('tell its version', () => client.version());
  const chooser: Chooser = async (question) => {
    const prompt = promptOf(question);
    const { message } = await asking('answer', () =>
      client.chat({
        model,
        messages: [{ role: 'user', content: prompt.message }],
        format: prompt.format,
        options,
        keep_alive: '10m',
        stream: false,
      }),
    );
    return { reply: message.content, prompt_sha256: promptDigest(prompt) };
  };
  return {
    chooser,
    identity: { name: found.name, digest: found.digest, layers: layersOf(modelfile, found.name, found.digest) },
    server: {
      name: 'ollama',
      version,
      binary_sha256: binary === null ? null : sha256(readFileSync(binary)),
      build: binary === null ? null : buildOf(binary),
    },
    close: async () => client.abort(),
  };
};
