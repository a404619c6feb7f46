import { encodeBase64 } from '../../base/base64.ts';
import type { Crypto } from '../../base/crypto.ts';
import { writeHex } from '../../base/hex.ts';
import { el, escapeText, htmlText, type PageElement } from './node.ts';
import { STYLE } from './style.ts';

/** What every page has: its parts, what it carries beside them, and the one script. */
export type Shell = {
  readonly title: string;
  /** Which of the two pages the script is on. */
  readonly kind: 'report' | 'verifier';
  readonly header: readonly PageElement[];
  readonly banners: readonly PageElement[];
  /** Where a reader checks, or gives files. */
  readonly desk: PageElement;
  readonly content: readonly PageElement[];
  /** Members of the page that its script reads. */
  readonly settings: Readonly<Record<string, string>>;
  /** Base64 texts that the page carries, by element id. */
  readonly carried: Readonly<Record<string, string>>;
  readonly footer: string;
  /** The text of the script, as `npm run build` makes it. */
  readonly script: string;
};

/** A type that no browser runs: what such an element holds is text. */
const CARRIED_TYPE = 'application/octet-stream';

/** The digest of a text as a content policy names it (CSP level 3, section 2.3.1). */
const sourceOf = (text: string, crypto: Crypto): string => {
  const digest = new Uint8Array(32);
  writeHex(crypto.sha256Hex(text), digest, 0);
  return `'sha256-${encodeBase64(digest)}'`;
};

/** The script as it may stand within HTML: whatever would end the element, or hide its end, stands in a string or pattern and is escaped there. */
const withinHtml = (script: string): string => script.replace(/<(?=\/script|script|!--)/gi, () => '\\x3c');

const attributesOf = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => ` data-${name}="${escapeText(value)}"`)
    .join('');

/** The whole page, in pieces. Its policy lets it run the one script, apply the one stylesheet, make no markup of text, and ask for nothing. */
export function* shellOf(shell: Shell, crypto: Crypto): Generator<string> {
  const script = withinHtml(shell.script);
  const policy = [
    "default-src 'none'",
    `script-src ${sourceOf(script, crypto)}`,
    `style-src ${sourceOf(STYLE, crypto)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const head = [
    el('meta', { charset: 'utf-8' }),
    el('meta', { 'http-equiv': 'Content-Security-Policy', content: policy }),
    el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    el('meta', { name: 'referrer', content: 'no-referrer' }),
    el('title', {}, shell.title),
  ];
  yield `<!DOCTYPE html>\n<html lang="en"><head>${head.map(htmlText).join('')}<style>${STYLE}</style></head>\n`;
  yield `<body data-page="${shell.kind}"${attributesOf(shell.settings)}>`;
  yield htmlText(el('a', { class: 'skip', href: '#main' }, 'Skip to the report'));
  yield htmlText(el('header', { id: 'head' }, shell.header));
  yield '\n<main id="main" tabindex="-1">';
  yield htmlText(el('div', { id: 'banners', role: 'group', 'aria-label': 'What is established' }, shell.banners));
  yield `\n${htmlText(shell.desk)}\n<div id="content">\n`;
  for (const part of shell.content) yield `${htmlText(part)}\n`;
  yield `</div></main>\n${htmlText(el('footer', {}, el('p', {}, shell.footer)))}\n`;
  for (const [id, base64] of Object.entries(shell.carried))
    yield `<script type="${CARRIED_TYPE}" id="${id}">${base64}</script>\n`;
  yield `<script>${script}</script></body></html>\n`;
}
