import type { Model } from './receiver.ts';

/**
 * A2A without anything else: the message is the text of a part, and no rule of the specification asks for anything of what a text says (A2A 1.0
 * sections 4.1.4 and 4.1.6). Present: the bytes.
 */
export const plainA2a: Model<Uint8Array> = {
  name: 'A2A, plain',
  source: 'A2A 1.0, sections 4.1.4 and 4.1.6',
  present: (message) => message,
  rules: [],
};
