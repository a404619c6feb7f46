import { createHash } from 'node:crypto';

/** All that a chooser is told of a run. There is no room for a label, an expected finding or an outcome. */
export type Question = { readonly task: string; readonly actions: readonly string[] };

/** What a model is sent: the message, and the schema that holds the permitted actions in their fixed order. */
export type Prompt = { readonly message: string; readonly format: object };

/** The prompt of a question: task text and permitted actions, and the words that are the same for all. */
export const promptOf = ({ task, actions }: Question): Prompt => ({
  message: `${task}\nWhich tool should be used? Reply as JSON {"action": ...}.`,
  format: {
    type: 'object',
    properties: { action: { type: 'string', enum: [...actions] } },
    required: ['action'],
    additionalProperties: false,
  },
});

/** The same question without its task (a content-free input after Zhao et al., Calibrate Before Use, ICML 2021): what a model prefers by itself. */
export const withoutContent = ({ actions }: Question): Question => ({ task: 'N/A', actions });

/** SHA-256 in hex of the bytes of a prompt: its JSON text, message first. */
export const promptDigest = ({ message, format }: Prompt): string =>
  createHash('sha256').update(JSON.stringify({ message, format })).digest('hex');
