import { decodeUtf8, encodeUtf8 } from '../base/utf8.ts';
import { parseWire, type WireNode } from '../base/wire-json.ts';
import type { Headers as KeptHeaders } from '../evidence/fields.ts';
import { HEADER_NAMES } from '../evidence/fields.ts';
import { SecretForms } from './secret-forms.ts';
import { REDACTED, withoutUrlSecrets } from './url-secrets.ts';

const SECRET_HEADER =
  /(?:^|[-_])(?:auth|authorization|cookie|token|key|apikey|secret|password|credentials?|session|signature|jwt)(?:$|[-_])/i;
/** A cookie may hold a word of the application; a shorter value is not looked for in bodies. */
const MIN_COOKIE = 8;
const MAX_KEPT_HEADERS = 64;
const MAX_HEADER = 65_536;
const PUSH_CONFIG = /^(?:task)?_?push_?notification_?config$/i;
/** The same members where the text is no JSON, such as one that was cut: better too much than a secret. */
const SECRET_MEMBER = /"(?:token|credentials)"[ \t\r\n]{0,64}:[ \t\r\n]{0,64}"((?:[^"\\]|\\.)*)/g;

type Edit = { readonly start: number; readonly end: number; readonly by: string };
type StringNode = WireNode & { readonly kind: 'string' };

/** Replaces credentials before anything is written (A2A 1.0 section 13.4: logs must not include them). */
export class Redactor {
  readonly #forms = new SecretForms();
  readonly #count: (what: string, count: number) => void;

  /** Takes what counts the replacements, and values the application knows to be secret. */
  constructor(count: (what: string, count: number) => void, secrets: readonly string[] = []) {
    this.#count = count;
    for (const secret of secrets) this.#forms.learn(secret);
  }

  /** Learns the credentials in the headers of a message, which need not be kept. Returns how many headers carry them. */
  learn(all: Iterable<readonly [string, string]>): number {
    let withheld = 0;
    for (const [cased, value] of all) {
      const name = cased.toLowerCase();
      if (isKept(name) || !SECRET_HEADER.test(name)) continue;
      withheld++;
      for (const secret of credentialsIn(name, value)) {
        this.#forms.learn(secret, name.endsWith('cookie') ? MIN_COOKIE : undefined);
      }
    }
    return withheld;
  }

  /** Takes all headers of a message; returns those that evidence keeps, and learns the credentials of the others. */
  headers(all: Iterable<readonly [string, string]>): KeptHeaders {
    const rows = [...all];
    const withheld = this.learn(rows);
    const kept: [KeptHeaders[number][0], string][] = [];
    for (const [cased, value] of rows) {
      const name = cased.toLowerCase();
      if (isKept(name) && kept.length < MAX_KEPT_HEADERS) kept.push([name, this.text(value).slice(0, MAX_HEADER)]);
    }
    this.#count('credential header', withheld);
    return kept;
  }

  /** Takes text that is not JSON, such as a URL; returns it without credentials. */
  text(text: string): string {
    return this.#known(this.#urls(text));
  }

  /** Takes the text of a body or of one event's data; returns it without credentials, byte for byte the same elsewhere. */
  json(text: string): string {
    const node = parseWire(text);
    if (node === null) return this.text(this.#lexical(text));
    const edits = this.#edits(node, text);
    let out = '';
    let done = 0;
    for (const { start, end, by } of edits) {
      out += text.slice(done, start) + by;
      done = end;
    }
    return this.#known(out + text.slice(done));
  }

  /** Takes the bytes of a part's content; returns them as they stand in a redacted body, whatever they are in themselves. */
  content(bytes: Uint8Array): Uint8Array {
    const text = decodeUtf8(bytes);
    if (text !== null) return encodeUtf8(this.text(text));
    return Buffer.from(this.text(Buffer.from(bytes).toString('latin1')), 'latin1');
  }

  /** Takes the bytes of a body; returns them without credentials. What is not UTF-8 is searched byte by byte. */
  bytes(body: Uint8Array): Uint8Array {
    const text = decodeUtf8(body);
    if (text !== null) return encodeUtf8(this.json(text));
    const latin1 = Buffer.from(body).toString('latin1');
    return Buffer.from(this.text(this.#lexical(latin1)), 'latin1');
  }

  #urls(text: string): string {
    const found = withoutUrlSecrets(text);
    for (const secret of found.secrets) this.#forms.learn(decoded(secret));
    this.#count('URL credential', found.secrets.length);
    return found.text;
  }

  #known(text: string): string {
    const { text: replaced, count } = this.#forms.replace(text, REDACTED);
    this.#count('known secret value', count);
    return replaced;
  }

  #lexical(text: string): string {
    let count = 0;
    const replaced = text.replace(SECRET_MEMBER, (whole, value: string) => {
      if (value === '') return whole;
      count++;
      this.#forms.learn(value);
      return whole.slice(0, whole.length - value.length) + REDACTED;
    });
    this.#count('push notification credential', count);
    return replaced;
  }

  #edits(root: WireNode, text: string): Edit[] {
    const edits: Edit[] = [];
    const credentials = new Set<WireNode>();
    const pending: WireNode[] = [root];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node.kind === 'array') for (const item of node.items) pending.push(item);
      if (node.kind !== 'object') {
        if (node.kind === 'string') this.#string(node, text, credentials.has(node), edits);
        continue;
      }
      const isTarget = node.members.some(({ name }) => name === 'url');
      for (const { name, value } of node.members) {
        if (name === 'token' && isTarget) credentials.add(value);
        const named = name === 'authentication' ? 'credentials' : PUSH_CONFIG.test(name) ? 'token' : null;
        for (const member of named !== null && value.kind === 'object' ? value.members : []) {
          if (member.name === named) credentials.add(member.value);
        }
        pending.push(value);
      }
    }
    return edits.sort((a, b) => a.start - b.start);
  }

  #string(node: StringNode, text: string, isCredential: boolean, edits: Edit[]): void {
    if (node.value === '') return;
    if (isCredential) {
      this.#forms.learn(node.value);
      this.#count('push notification credential', 1);
      edits.push({ start: node.start, end: node.end, by: `"${REDACTED}"` });
      return;
    }
    const token = text.slice(node.start, node.end);
    // Escapes may hide a URL or a known secret; a token without any is edited as it stands.
    if (!token.includes('\\')) {
      const by = this.#urls(token);
      if (by !== token) edits.push({ start: node.start, end: node.end, by });
      return;
    }
    const value = this.text(node.value);
    if (value !== node.value) edits.push({ start: node.start, end: node.end, by: JSON.stringify(value) });
  }
}

const isKept = (name: string): name is KeptHeaders[number][0] => (HEADER_NAMES as readonly string[]).includes(name);

const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
};

/** The values in a header that are secret: of a cookie its values, of an Authorization what follows the scheme. */
const credentialsIn = (name: string, value: string): string[] => {
  if (name === 'cookie') return value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  if (name === 'set-cookie')
    return [
      value
        .split(';', 1)[0]!
        .slice(value.indexOf('=') + 1)
        .trim(),
    ];
  const space = value.indexOf(' ');
  const credential = value.slice(space + 1).trim();
  if (space < 0 || value.slice(0, space).toLowerCase() !== 'basic') return [credential];
  const pair = Buffer.from(credential, 'base64').toString();
  return [credential, pair, pair.slice(pair.indexOf(':') + 1)];
};
