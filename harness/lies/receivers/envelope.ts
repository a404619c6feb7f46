import { headerOf, isSignedJws, type Jws, signJws } from './jws.ts';
import { keyNamed, keyOf } from './keys.ts';
import type { Model } from './receiver.ts';
import { readSent } from './sent.ts';

const keyOfEnvelope = (envelope: Jws) => keyNamed(headerOf(envelope).kid);

/**
 * A signature over the envelope of a message, modelled from the seed's description, which names no specification: the sending agent signs the whole
 * message and whom it is for with its own key. Present: a JWS (RFC 7515) over the bytes as sent, `aud` in its protected header, made when the
 * message was first sent; a replay repeats it. A liar signs its lie.
 *
 * Checks: header (RFC 7515 section 5.2 steps 2 to 5), key (section 6), signature (section 5.2 step 8), audience (RFC 7519 section 4.1.3). No rule
 * of these asks for freshness, so a second delivery to the same receiver passes.
 */
export const envelopeSignature: Model<Jws> = {
  name: 'Message envelope, signed',
  source: "modelled from the seed's description, with RFC 7515 and RFC 7519",
  present: (message, { sender, me }) =>
    signJws(message, { typ: 'JOSE', aud: readSent(message)?.to.agent ?? me }, keyOf('agent', sender)),
  rules: [
    {
      id: 'envelope-header',
      section: 'RFC 7515 5.2 steps 2 to 5',
      text: 'The protected header names an algorithm that is known.',
      holds: (envelope) => headerOf(envelope).alg === 'EdDSA',
    },
    {
      id: 'envelope-key',
      section: 'RFC 7515 6',
      text: 'The key is that of an agent that the receiver knows.',
      holds: (envelope) => keyOfEnvelope(envelope)?.id.startsWith('agent:') === true,
    },
    {
      id: 'envelope-signature',
      section: 'RFC 7515 5.2 step 8',
      text: 'That key signed the bytes.',
      holds: (envelope) => {
        const key = keyOfEnvelope(envelope);
        return key !== null && isSignedJws(envelope, key);
      },
    },
    {
      id: 'envelope-audience',
      section: 'RFC 7519 4.1.3',
      text: 'It is for this receiver.',
      holds: (envelope, { me }) => headerOf(envelope).aud === me,
    },
  ],
};
