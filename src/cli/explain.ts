import { REASONS, type Reason } from '../base/reasons.ts';
import { field, paragraph } from '../report/layout.ts';
import { UsageFault } from './exit.ts';
import { emit, json, paintFor, table } from './output.ts';

const isReason = (code: string): code is Reason => Object.hasOwn(REASONS, code);

/** `forensictrace explain [CODE]`: prints one entry of the reason registry, or lists all of them. */
export const runExplain = (code: string | undefined, options: { readonly json?: boolean }): number => {
  if (code === undefined) {
    const rows = Object.entries(REASONS).map(([name, { level, family, title }]) => [name, level, family ?? '-', title]);
    emit(options.json ? json(REASONS) : table([['code', 'level', 'family', 'title'], ...rows]));
    return 0;
  }
  const name = code.toUpperCase().replaceAll('-', '_');
  if (!isReason(name)) {
    throw new UsageFault(`there is no reason code ${code}; forensictrace explain lists them all`);
  }
  const entry = REASONS[name];
  const paint = paintFor(process.stdout);
  const text = [
    `${paint.bold(name)}  (${entry.level}${entry.family === null ? '' : `, family ${entry.family}`})`,
    ...paragraph(entry.title, '  ', '  '),
    '',
    ...field('means', entry.means),
    ...field('not', entry.not),
    ...field('next', entry.next),
    ...field('false', `positives: ${entry.falsePositives}`),
    ...(entry.techniques.length === 0 ? [] : field('see', entry.techniques.join(', '))),
    '',
  ].join('\n');
  emit(options.json ? json({ code: name, ...entry }) : text);
  return 0;
};
