import type { JsonObject, JsonValue } from '../base/json-value.ts';
import type { Bundle } from '../evidence/bundle.ts';
import type { Face } from './face.ts';
import { cut } from './line.ts';
import { type Said, saidBy } from './statements.ts';

/** Past these a diagram can no longer be read. */
const AGENTS = 40;
const EXCHANGES = 200;
const NOTES = 100;
const LABEL = 120;

const SAFE = /[^\p{L}\p{N} .,/_=+()?…-]/gu;

/**
 * A stranger's text as a label: only letters, digits and a few marks stand for themselves, all else is written as `\x3c` or `\u202e`. Mermaid
 * reads markup, entities and directives such as `wrap:` in labels, and its own escapes have been decoded into markup before.
 */
const label = (text: string): string =>
  cut(text, LABEL)
    .replace(SAFE, (character) =>
      Array.from({ length: character.length }, (_, at) => {
        const code = character.charCodeAt(at);
        return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
      }).join(''),
    )
    .trim() || '?';

type Step = { readonly id: string; readonly from: string; readonly to: string; readonly text: string };

const named = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '?');

const stepsOf = (bundle: Bundle): readonly Step[] =>
  [...bundle.exchanges]
    .sort((a, b) => a.sequence - b.sequence)
    .map((exchange) => {
      const row = exchange as unknown as JsonObject;
      return {
        id: exchange.exchange_id,
        from: named(row.client_agent),
        to: named(row.server_agent),
        text: `${exchange.exchange_id} ${named(row.rpc_method ?? row.method)} ${exchange.status ?? 'no status'} (${exchange.observer})`,
      };
    });

/** The exchange at which a note stands: where the path begins, else none. */
const exchangeOf = ({ row, path }: Said): string | null => {
  const [first] = path;
  if (first !== undefined && 'type' in first && first.type === 'RuntimeExchange') return first.id;
  return row?.collection === 'exchanges' ? row.id : null;
};

const noteOf = (over: string, { reason, level, row }: Said): string =>
  `  Note over ${over}: ${label(`${level} ${reason}${row === null ? '' : ` ${row.collection}/${row.id}`}`)}`;

/** The agents and exchanges of a trace as a Mermaid sequence diagram, in runtime order, with what the report says at its exchange. */
export const mermaid: Face = ({ report, intact }) => {
  const steps = intact === null ? [] : stepsOf(intact);
  const shown = steps.slice(0, EXCHANGES);
  const agents = [...new Set(shown.flatMap(({ from, to }) => [from, to]))];
  const participant = new Map(agents.slice(0, AGENTS).map((agent, at) => [agent, `p${at + 1}`]));
  const other = 'others';
  const of = (agent: string): string => participant.get(agent) ?? other;

  const said = saidBy(report).filter(({ level }) => level !== 'note');
  const ids = new Set(shown.map(({ id }) => id));
  const notes = said.slice(0, NOTES).map((one) => {
    const at = exchangeOf(one);
    return { one, at: at !== null && ids.has(at) ? at : null };
  });
  const left = [
    ...(steps.length > EXCHANGES ? [`${steps.length - EXCHANGES} more exchanges`] : []),
    ...(said.length > NOTES ? [`${said.length - NOTES} more statements`] : []),
  ];
  const claimed = report.signature_accepted ? '' : ' (claimed)';
  return [
    'sequenceDiagram\n',
    '  participant v as forensictrace\n',
    ...[...participant].map(([agent, id]) => `  participant ${id} as ${label(agent)}\n`),
    ...(agents.length > AGENTS ? [`  participant ${other} as ${agents.length - AGENTS} other agents\n`] : []),
    `  Note over v: ${label(report.verdict)}\n`,
    ...(report.incident_id === null ? [] : [`  Note over v: incident ${label(report.incident_id + claimed)}\n`]),
    ...notes.filter(({ at }) => at === null).map(({ one }) => `${noteOf('v', one)}\n`),
    ...shown.flatMap(({ id, from, to, text }) => [
      `  ${of(from)}->>${of(to)}: ${label(text)}\n`,
      ...notes.filter(({ at }) => at === id).map(({ one }) => `${noteOf(of(to), one)}\n`),
    ]),
    ...left.map((text) => `  Note over v: ${text}, all in the JSON report\n`),
  ];
};
