import { pinnedLogs } from './checkpoint.ts';
import { jcs } from './jcs.ts';
import { isSignedBy } from './keys.ts';
import type { Context, Model } from './receiver.ts';

type Signed = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly signature: string;
} | null;

const present = (message: Uint8Array): Signed => {
  try {
    const { sig, ...body } = JSON.parse(Buffer.from(message).toString()) as Record<string, unknown>;
    const { key, sig: signature } = sig as Record<string, unknown>;
    return typeof key === 'string' && typeof signature === 'string' ? { body, key, signature } : null;
  } catch {
    return null;
  }
};

const pinned = (signed: Signed, { trust }: Context) =>
  pinnedLogs(trust).find(({ name, id }) => `${name}+${id.toString('hex')}` === signed?.key);

/** The baseline: the message's own signature by a pinned log's key, read with JSON.parse, and nothing else. Present: the message. */
export const signatureOnly: Model<Signed> = {
  name: 'Signature only',
  source: 'docs/PCM.md, section 3, the signature alone',
  present,
  rules: [
    { id: 'readable', section: '2', text: 'The text is JSON and has a signature.', holds: (signed) => signed !== null },
    {
      id: 'key',
      section: '3',
      text: 'The key that it names is pinned.',
      holds: (signed, context) => pinned(signed, context) !== undefined,
    },
    {
      id: 'signature',
      section: '3',
      text: 'That key signed the message.',
      holds: (signed, context) => {
        const key = pinned(signed, context)?.key;
        if (signed === null || key === undefined) return false;
        const text = jcs({ ...signed.body, t: 'pcm.message.v0' });
        return isSignedBy(key, Buffer.from(text), Buffer.from(signed.signature, 'base64'));
      },
    },
  ],
};
