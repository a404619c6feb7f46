import type { JsonObject } from '../../src/base/json-value.ts';
import { RECORD_SCHEMAS } from '../../src/evidence/bundle.ts';
import type { Collection } from '../../src/evidence/collections.ts';
import { asJson, bundleOf } from '../support/bundle.ts';
import { pinningProfile, sealedFiles } from '../support/pair.ts';
import { records, sha256 } from '../support/records.ts';
import type { Files } from './chromium.ts';

const MEBIBYTE = 1 << 20;

/** Texts that a renderer may take for something else than text. None says anything but that it ran. */
const HOSTILE = [
  '<script>globalThis.harmed=1</script>',
  '</script><script>globalThis.harmed=1</script><!--<script>',
  '</style></title></textarea></noscript><img src=x onerror=globalThis.harmed=1>',
  '"><svg onload=globalThis.harmed=1><a href="javascript:globalThis.harmed=1">x</a>',
  "' onmouseover='globalThis.harmed=1' style='position:fixed",
  '\u202etxt.exe\u2066 \u200b\u00ad\u2028\u2029\ufeff',
  '\u001b[2J\u001b]0;harmed\u0007\u009b31m\u0000\u0001\u007f\r\n\t',
  '__proto__',
  '$& $` $1 #{globalThis.harmed=1} {{constructor.constructor("harmed=1")()}}',
  '&lt;script&gt; &#x202e; ]]> --> */',
  `${'long '.repeat(MEBIBYTE / 5)}</script><script>globalThis.harmed=1</script>`,
  '\u0001a\u202eb'.repeat(MEBIBYTE / 4),
] as const;

const bodyOf = (text: string) => ({
  text,
  encoding: 'utf8',
  size: Buffer.byteLength(text),
  sha256: sha256(text),
  truncated: null,
});

const isBody = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'sha256' in value && 'text' in value;

/** A record in which every text that may be any text is a hostile one. */
const poisoned = (collection: Collection, record: object, next: () => string): object => {
  let poison = { ...record, attributes: JSON.parse(`{"__proto__":${JSON.stringify(next())}}`) };
  for (const [member, value] of Object.entries(record)) {
    const text = next();
    // The same card has the same bytes in every role.
    const put = isBody(value)
      ? bodyOf(member === 'raw' ? HOSTILE[1] : member === 'request_body' ? HOSTILE[10] : text)
      : Array.isArray(value)
        ? [text]
        : text;
    const tried = { ...poison, [member]: put };
    if (member !== 'observer' && RECORD_SCHEMAS[collection].safeParse(tried).success) poison = tried;
  }
  return poison;
};

const SHORT = HOSTILE.filter((text) => text.length < 1000);

/** Hostile in every text: intact, and contradicting itself so much that no profile can judge it. */
export const hostileEverywhere = (): Files => {
  let at = 0;
  const next = (): string => {
    const index = at++;
    return index < HOSTILE.length ? HOSTILE.at(-1 - index)! : SHORT[index % SHORT.length]!;
  };
  const built = Object.entries(records()).map(([collection, rows]) => [
    collection,
    rows.map((row, index) => (index === 0 ? poisoned(collection as Collection, row, next) : row)),
  ]);
  return sealedFiles(bundleOf(Object.fromEntries(built)), pinningProfile());
};

const AGENTS = new Set([
  'agent',
  'client_agent',
  'server_agent',
  'source_agent',
  'destination_agent',
  'caller_agent',
  'renderer',
]);

/** Hostile in the names of agents, which no wire text holds, and with findings about them. */
export const hostileFindings = (): Files => {
  const named = ([member, value]: [string, unknown]) => [
    member,
    typeof value === 'string' && AGENTS.has(member) ? `${value} ${SHORT.join(' ')}` : value,
  ];
  const built = Object.entries(records()).map(([collection, rows]) => [
    collection,
    rows.map((row) => Object.fromEntries(Object.entries(row).map(named))),
  ]);
  const bundle = bundleOf(Object.fromEntries(built));
  const profile = pinningProfile(bundle);
  const asrf = { ...(profile.asrf as JsonObject), hosts: asJson(['nowhere.example']) };
  return sealedFiles(bundle, { ...profile, asrf });
};
