import { type AgentIdentity, PLANNER, RESEARCHER, REVIEWER } from '../lab/cards.ts';
import { Outbox } from '../lab/outbox.ts';
import type { Scenario } from './scenario.ts';

const ROUND = [PLANNER, RESEARCHER, REVIEWER] as const;
/** How often the question is handed on: one more than brings it back to its first three holders for the third time. */
const HANDOVERS = 10;

type Action = 'add_section_and_hand_on' | 'hand_on';

/**
 * Cycle overflow. The desk puts a question to the planner; planner, researcher and reviewer hand it round. Each either
 * adds a section of its own first, which is progress, or only hands it on.
 */
export const co: Scenario<Action, null> = {
  family: 'CO',
  setups: { condition: null, control: null },
  script: { condition: 'hand_on', control: 'add_section_and_hand_on' },
  async open(lab) {
    const outbox = new Outbox();
    let handovers = 0;
    let predecessor = 'root';
    const handOn = (from: AgentIdentity, to: AgentIdentity, text: string): void => {
      if (handovers++ >= HANDOVERS) return;
      outbox.put(async () => {
        const next = await lab.connect(to.host, from.agent);
        const { value: reply, exchange_ids } = await lab.observe.sending(() => next.send(text));
        const { taskId, contextId, artifactIds } = reply;
        const [section = null] = artifactIds;
        lab.log.push({ what: 'handed_on', from: from.agent, to: to.agent, section });
        const step = lab.observe.routingStep({
          exchange_id: exchange_ids[0] ?? null,
          source_agent: from.agent,
          destination_agent: to.agent,
          predecessor,
          outcome: 'ok',
          progress: section !== null,
          progress_artifact_record_id: section === null ? null : lab.observe.artifactRecord(taskId ?? '', section),
          task_id: taskId,
          context_id: contextId,
        });
        predecessor = step ?? 'unknown';
      });
    };
    for (const [place, identity] of ROUND.entries()) {
      const next = ROUND[(place + 1) % ROUND.length] ?? PLANNER;
      await lab.startAgent(identity, (turn) => {
        const [order] = turn.text.split('\n', 1);
        if (order === 'add_section_and_hand_on') {
          turn.open();
          turn.produce('section', `Section ${handovers} of the ${identity.agent}`, 'text/plain');
          turn.enter('COMPLETED');
        } else turn.say('Nothing to add.');
        handOn(identity, next, turn.text);
      });
    }
    return {
      async act(action, { text, marker }) {
        const planner = await lab.connect(PLANNER.host);
        await planner.send(`${action}\n${text}\n${marker}`);
        await outbox.drain();
      },
    };
  },
};
