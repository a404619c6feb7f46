import { REASONS } from '../base/reasons.ts';
import { WORDS } from '../base/words.ts';
import { FLEET_REASONS } from '../fleet/reasons.ts';
import { PCM_REASONS, type PcmReason } from '../pcm/reasons.ts';
import { field, paragraph } from '../report/layout.ts';
import { UsageFault } from './exit.ts';
import { OTHER_WORDS } from './other-words.ts';
import { emit, json, table } from './output.ts';
import { paintFor } from './paint.ts';

type Options = { readonly json?: boolean };

/** Those of a report, and those of a pair among many. */
const ALL = { ...REASONS, ...FLEET_REASONS } as const;
const isReason = (code: string): code is keyof typeof ALL => Object.hasOwn(ALL, code);
const isPcmReason = (code: string): code is PcmReason => Object.hasOwn(PCM_REASONS, code);
const ALL_WORDS: Readonly<Record<string, string>> = { ...WORDS, ...OTHER_WORDS };

/** `forensictrace explain [CODE]`: prints an entry of the reason registry, a reason of PCM or another word that a command prints, or lists the codes. */
export const runExplain = (code: string | undefined, options: Options): number => {
  if (code === undefined) {
    const rows = Object.entries(ALL).map(([name, { level, family, title }]) => [name, level, family ?? '-', title]);
    emit(options.json ? json(ALL) : table([['code', 'level', 'family', 'title'], ...rows]));
    return 0;
  }
  const name = code.toUpperCase().replaceAll(/[- ]/g, '_');
  if (isReason(name)) explainReason(name, options);
  else if (isPcmReason(name)) explainPcmReason(name, options);
  else if (Object.hasOwn(ALL_WORDS, name)) explainWord(name, ALL_WORDS[name]!, options);
  else {
    throw new UsageFault(`there is no reason code ${code}`, [
      'forensictrace explain lists the codes; it also takes a verdict, a status or a family, and:',
      Object.keys(WORDS).slice(-7).join(', '),
    ]);
  }
  return 0;
};

const explainReason = (name: keyof typeof ALL, options: Options): void => {
  const entry = ALL[name];
  const text = [
    `${paintFor(process.stdout).bold(name)}  (${entry.level}${entry.family === null ? '' : `, family ${entry.family}`})`,
    ...paragraph(entry.title, '  ', '  '),
    '',
    ...field('means', entry.means),
    ...field('not', entry.not),
    ...field('next', entry.next),
    ...field('false alarm', entry.falsePositives),
    ...(entry.techniques.length === 0 ? [] : field('see', entry.techniques.join(', '))),
    '',
  ].join('\n');
  emit(options.json ? json({ code: name, ...entry }) : text);
};

const explainPcmReason = (name: PcmReason, options: Options): void => {
  const { level, means, next } = PCM_REASONS[name];
  const text = [
    `${paintFor(process.stdout).bold(name)}  (${level}, of a PCM message)`,
    ...field('means', means),
    ...field('next', next),
    '',
  ].join('\n');
  emit(options.json ? json({ code: name, level, means, next }) : text);
};

const explainWord = (name: string, means: string, options: Options): void => {
  const text = [paintFor(process.stdout).bold(name), ...field('means', means), ''].join('\n');
  emit(options.json ? json({ word: name, means }) : text);
};
