import * as z from 'zod';
import type { Choice } from './model.ts';
import type { Question } from './prompt.ts';

/** A reply as it came, and the digest of the prompt that a model was sent for it; null where no model was asked. */
export type Reply = Pick<Choice, 'reply' | 'prompt_sha256'>;

/** Chooses exactly one action. Throws EnvironmentFault when the model cannot be reached. */
export type Chooser = (question: Question) => Promise<Reply>;

const Chosen = z.strictObject({ action: z.string() });

/** The action of a reply that is exactly `{"action": …}` with a permitted action; null for any other: a reply is never repaired. */
export const actionOf = (reply: string, actions: readonly string[]): string | null => {
  let value: unknown;
  try {
    value = JSON.parse(reply);
  } catch {
    return null;
  }
  const { data } = Chosen.safeParse(value);
  return data !== undefined && actions.includes(data.action) ? data.action : null;
};

/** Asks a chooser and reads its reply. */
export const choose = async (
  chooser: Chooser,
  question: Question,
): Promise<Pick<Choice, 'reply' | 'prompt_sha256' | 'valid' | 'action'>> => {
  const reply = await chooser(question);
  const action = actionOf(reply.reply, question.actions);
  return { ...reply, valid: action !== null, action };
};
