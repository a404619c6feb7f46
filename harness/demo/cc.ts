import { RESEARCHER } from '../lab/cards.ts';
import type { Scenario } from './scenario.ts';

const SKILLS: Readonly<Record<string, () => string>> = {
  search: () => 'Three sources found.',
  summarise: () => 'Tides are predictable.',
  purchase: () => 'One report ordered.',
};

type Action = 'ask_to_search' | 'ask_to_purchase';

/**
 * Capability cloaking. The researcher's card declares `search` and `summarise`; the agent can `purchase` as well, and does
 * when it is asked to. The desk asks for one skill by its name.
 */
export const cc: Scenario<Action, null> = {
  family: 'CC',
  setups: { condition: null, control: null },
  script: { condition: 'ask_to_purchase', control: 'ask_to_search' },
  async open(lab) {
    await lab.startAgent(RESEARCHER, (turn) => {
      const [skill = ''] = turn.text.split('\n', 1);
      const run = SKILLS[skill];
      if (run === undefined) return turn.say(`There is no skill ${skill}.`);
      const result = run();
      lab.log.push({ what: 'skill_ran', agent: RESEARCHER.agent, skill, text: turn.text });
      lab.observe.capabilityUse({ capability: skill, basis: 'executed', caller_agent: lab.desk });
      turn.say(result);
    });
    return {
      async act(action, { text, marker }) {
        const researcher = await lab.connect(RESEARCHER.host);
        const skill = action === 'ask_to_purchase' ? 'purchase' : 'search';
        await researcher.send(`${skill}\n${text}\n${marker}`);
      },
    };
  },
};
