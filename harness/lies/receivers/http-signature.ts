import { sha256 } from './jcs.ts';
import { isSigned, keyNamed, keyOf, signBytes } from './keys.ts';
import type { Context, Model } from './receiver.ts';
import { readSent, secondsOf } from './sent.ts';

/** The parts of an HTTP request that ANP signs and checks. */
export type Request = {
  readonly method: string;
  readonly target: string;
  readonly digest: string;
  readonly covered: readonly string[];
  readonly created: number;
  readonly expires: number;
  readonly nonce: string;
  readonly keyid: string;
  readonly signature: Uint8Array;
  readonly body: Uint8Array;
};
type Unsigned = Omit<Request, 'signature'>;

const MINIMUM = ['@method', '@target-uri', 'content-digest'];
/** ANP-02 recommends one to five minutes. */
const WINDOW_S = 300;

const digestOf = (body: Uint8Array): string => `sha-256=:${sha256(body).toString('base64')}:`;
const targetOf = (agent: string): string => `https://agents.example/${encodeURIComponent(agent)}`;

/** The signature base (RFC 9421 section 2.5). */
const baseOf = ({ method, target, digest, covered, created, expires, nonce, keyid }: Unsigned): Buffer => {
  const values: Readonly<Record<string, string>> = {
    '@method': method,
    '@target-uri': target,
    'content-digest': digest,
  };
  const list = covered.map((name) => `"${name}"`).join(' ');
  const parameters = `(${list});created=${created};expires=${expires};nonce="${nonce}";keyid="${keyid}"`;
  const lines = covered.map((name) => `"${name}": ${values[name] ?? ''}`);
  return Buffer.from([...lines, `"@signature-params": ${parameters}`].join('\n'));
};

/** Made when the message was first sent: a replay repeats it. */
const present = (body: Uint8Array, { sender, me, now }: Context): Request => {
  const sent = readSent(body);
  const created = Math.floor(secondsOf(sent?.ts ?? now)) || Math.floor(secondsOf(now));
  const unsigned: Unsigned = {
    method: 'POST',
    target: targetOf(sent?.to.agent ?? me),
    digest: digestOf(body),
    covered: MINIMUM,
    created,
    expires: created + WINDOW_S,
    nonce: sha256(body).toString('hex').slice(0, 32),
    keyid: `did:wba:agents.example:${sender}#key-1`,
    body,
  };
  return { ...unsigned, signature: signBytes(keyOf('agent', sender), baseOf(unsigned)) };
};

/** The key that the DID document of the key id's subject lists under `authentication`; null without one. */
const authenticationKey = (keyid: string) => {
  const [, agent] = /^did:wba:agents\.example:(.+)#key-1$/s.exec(keyid) ?? [];
  return agent === undefined ? null : keyNamed(`agent:${agent}`);
};

const isRemembered = (request: Request, context: Context): boolean =>
  context.earlier
    .filter(({ now }) => now >= context.started)
    .map(({ bytes }) => present(bytes, context))
    .some(({ keyid, nonce }) => keyid === request.keyid && nonce === request.nonce);

/**
 * RFC 9421 HTTP message signatures as ANP uses them: ANP-02 1.2 section 3.2.1. Present: a POST of the message to the agent it is for, signed with the
 * sending agent's own key when it was first sent, over the minimum of components (section 3.1.1). A liar signs its lie; a replay repeats the request.
 *
 * Checks: format (step 1), body digest (step 2, RFC 9530), DID and verification method (steps 3 to 5), coverage (step 6), signature (3.2.2, RFC 9421
 * section 3.2), target (RFC 9421 section 3.2 step 5), time window (step 7), replay cache (step 8). Step 9, permission, is the application's: the
 * specification says that authentication implies no business authority.
 */
export const httpSignature: Model<Request> = {
  name: 'RFC 9421, as ANP uses it',
  source: 'ANP-02 1.2 sections 3.1 and 3.2, with RFC 9421 and RFC 9530',
  present,
  rules: [
    {
      id: 'http-format',
      section: 'ANP-02 3.2.1 step 1',
      text: 'The request has a signature, its input and a digest.',
      holds: ({ signature, digest, keyid }) => signature.length > 0 && digest !== '' && keyid !== '',
    },
    {
      id: 'http-digest',
      section: 'ANP-02 3.2.1 step 2; RFC 9530',
      text: 'The digest is that of the body.',
      holds: ({ digest, body }) => digest === digestOf(body),
    },
    {
      id: 'http-did',
      section: 'ANP-02 3.2.1 steps 3 to 5',
      text: "The key is an authentication key of the subject's DID document.",
      holds: ({ keyid }) => authenticationKey(keyid) !== null,
    },
    {
      id: 'http-coverage',
      section: 'ANP-02 3.1.1 and 3.2.1 step 6',
      text: 'The signature covers the method, the target and the digest.',
      holds: ({ covered }) => MINIMUM.every((name) => covered.includes(name)),
    },
    {
      id: 'http-signature',
      section: 'ANP-02 3.2.2; RFC 9421 3.2',
      text: 'That key signed the signature base.',
      holds: (request) => {
        const key = authenticationKey(request.keyid);
        return key !== null && isSigned(key, baseOf(request), request.signature);
      },
    },
    {
      id: 'http-target',
      section: 'RFC 9421 3.2 step 5; ANP-02 3.2.1 step 6',
      text: 'The target that was signed is this receiver.',
      holds: ({ target }, { me }) => target === targetOf(me),
    },
    {
      id: 'http-window',
      section: 'ANP-02 3.2.1 step 7',
      text: 'It was created within five minutes, and has not expired.',
      holds: ({ created, expires }, { now }) =>
        Math.abs(secondsOf(now) - created) <= WINDOW_S && secondsOf(now) <= expires,
    },
    {
      id: 'http-replay',
      section: 'ANP-02 3.2.1 step 8',
      text: 'The key id and nonce are not in the cache, which lives as long as the process.',
      holds: (request, context) => !isRemembered(request, context),
    },
  ],
};
