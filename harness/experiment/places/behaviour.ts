import type { Behaviour } from '../../lab/agent.ts';
import type { AgentIdentity } from '../../lab/cards.ts';
import type { Turn } from '../../lab/replies.ts';
import { ROUND } from './agents.ts';
import type { Entry } from './protocol.ts';

/** A message that an agent has decided to send, and to whom. */
export type Onward = { readonly to: AgentIdentity; readonly text: string };

/** What an agent can do beside answering. */
export type Tools = {
  readonly agent: string;
  /** What it will send once it is told to deliver. */
  readonly onward: Onward[];
  readonly log: (entry: Entry) => void;
  /** The text of the document at a URI. */
  readonly read: (uri: string) => Promise<string>;
  /** Waits for a worker; gives its ticket. */
  readonly takeWorker: () => Promise<string>;
  readonly releaseWorker: (ticket: string) => Promise<void>;
};

/** The script is inert: an expression without effect, in a page that no browser ever shows. */
const reportOf = (marker: string): string =>
  `<h1>Tidal power</h1><p>Reference <b>${marker}</b></p><script>void "a2aft-inert-marker ${marker}"</script>`;

const completedWith = (turn: Turn, name: string, text: string, mediaType: string): void => {
  turn.open();
  turn.produce(name, text, mediaType);
  turn.enter('COMPLETED');
};

/** Hands a question on to the next of the round, as often as its last line still allows. */
const handOn = ({ agent, onward }: Tools, lines: readonly string[]): void => {
  const left = Number(lines.at(-1));
  if (!(left > 0)) return;
  const place = ROUND.findIndex((identity) => identity.agent === agent);
  const text = [...lines.slice(0, -1), left - 1].join('\n');
  onward.push({ to: ROUND[(place + 1) % ROUND.length]!, text });
};

type Skill = (turn: Turn, lines: readonly string[], tools: Tools) => void | Promise<void>;

const skill =
  (name: string, result: string): Skill =>
  (turn, _, { log }) => {
    log({ what: 'skill_ran', skill: name, message_id: turn.messageId, text: turn.text });
    turn.say(result);
  };

/** What an agent does by the first line of a message; the other lines are task text, marker and what the order needs. */
const ORDERS: Readonly<Record<string, Skill>> = {
  search: skill('search', 'Three sources found.'),
  purchase: skill('purchase', 'One report ordered.'),
  report: (turn, lines, { log }) => {
    const text = reportOf(lines.at(-1) ?? '');
    log({ what: 'report_written', task_id: turn.taskId, text });
    completedWith(turn, 'report', text, 'text/html');
  },
  read: async (turn, lines, { read }) => {
    await read(lines.at(-1) ?? '');
    turn.say('The document was read.');
  },
  hand_on: (turn, lines, tools) => {
    turn.say('Nothing to add.');
    handOn(tools, lines);
  },
  add_section: (turn, lines, tools) => {
    completedWith(turn, 'section', `Section ${lines.at(-1)} of the ${tools.agent}`, 'text/plain');
    handOn(tools, lines);
  },
};

/** A review agent's work: a task keeps its worker until its changes are approved; a question gives it back at once. */
const review = (tools: Tools): Readonly<Record<'question' | 'review' | 'approve', Skill>> => {
  const held = new Map<string, string>();
  return {
    question: async (turn) => {
      const ticket = await tools.takeWorker();
      turn.say('Yes.');
      await tools.releaseWorker(ticket);
    },
    review: async (turn) => {
      held.set(turn.taskId, await tools.takeWorker());
      turn.open();
      turn.enter('INPUT_REQUIRED');
    },
    approve: async (turn) => {
      const ticket = held.get(turn.taskId);
      held.delete(turn.taskId);
      if (ticket !== undefined) await tools.releaseWorker(ticket);
      turn.enter('COMPLETED');
    },
  };
};

/** What every agent of the experiment does with a message. */
export const work = (tools: Tools): Behaviour => {
  const orders = new Map(Object.entries({ ...ORDERS, ...review(tools) }));
  return async (turn) => {
    const [order = '', ...lines] = turn.text.split('\n');
    const act = orders.get(order);
    if (act === undefined) turn.say('There is nothing to do.');
    else await act(turn, [order, ...lines], tools);
  };
};
