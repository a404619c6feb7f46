import type { Finding } from '../pcm/finding.ts';
import type { RefusedMessage } from './receiver.ts';

const SHOWN = 300;

/** Takes a text of which a stranger chose parts; returns no more than tells it. */
export const brief = (text: string): string =>
  text.length <= SHOWN ? text : `${text.slice(0, SHOWN).replace(/[\ud800-\udbff]$/, '')}…`;

/** Takes a refusal; returns it in one sentence of bounded length, its first reason told. */
export const refusalText = ({ verdict, findings }: RefusedMessage): string => {
  const [{ reason, detail }] = findings as readonly [Finding, ...Finding[]];
  return `PCM message refused (${verdict}): ${brief(detail)} (${reason})`;
};

/** Thrown where a program asked to act on a message, and may not. */
export class PcmRefused extends Error {
  readonly verdict: RefusedMessage['verdict'];
  readonly findings: readonly Finding[];

  constructor(refused: RefusedMessage) {
    super(refusalText(refused));
    this.name = 'PcmRefused';
    this.verdict = refused.verdict;
    this.findings = refused.findings;
  }
}
