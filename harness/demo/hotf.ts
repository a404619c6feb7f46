import { setTimeout as delay } from 'node:timers/promises';
import { REVIEWER } from '../lab/cards.ts';
import type { Remote } from '../lab/remote.ts';
import { WorkerQueue } from '../lab/worker-queue.ts';
import type { Scenario } from './scenario.ts';

const WORKERS = 4;
const TEXTS = 4;
const QUESTIONS = 3;
/** How long the desk looks on before it measures: longer than the latency limit of the profile. */
const PATIENCE_MS = 300;

type Action = 'approve_at_once' | 'approve_later';

/**
 * Half-open task flooding. The reviewer has four workers; a task that waits for approval keeps its worker. The desk has
 * four texts reviewed and then asks three short questions: with every task still open, the questions wait for a worker.
 * Queue depth and waiting time are measured, not stated.
 */
export const hotf: Scenario<Action, null> = {
  family: 'HOTF',
  setups: { condition: null, control: null },
  script: { condition: 'approve_later', control: 'approve_at_once' },
  async open(lab) {
    const queue = new WorkerQueue(WORKERS, () => process.hrtime.bigint());
    const kept = new Map<string, () => void>();
    await lab.startAgent(REVIEWER, async (turn) => {
      if (turn.isFollowUp) {
        turn.enter('COMPLETED');
        kept.get(turn.taskId)?.();
        kept.delete(turn.taskId);
        return;
      }
      const release = await queue.take();
      if (turn.text.startsWith('question')) {
        turn.say('Yes.');
        release();
        return;
      }
      kept.set(turn.taskId, release);
      turn.open();
      turn.enter('INPUT_REQUIRED');
    });
    const measure = (remote: Remote): void => {
      const load = queue.read();
      lab.log.push({ what: 'load_measured', agent: REVIEWER.agent, awaiting: kept.size, ...load });
      lab.observe.taskLoad({
        endpoint_id: remote.endpointId,
        agent: REVIEWER.agent,
        awaiting_input_count: kept.size,
        queue_depth: load.depth,
        latency_us: load.longestWaitUs,
        timeouts: null,
        window_us: load.windowUs,
      });
    };

    return {
      async act(action, { text, marker }) {
        const reviewer = await lab.connect(REVIEWER.host);
        const ask = (): Promise<unknown> => reviewer.send(`question\n${marker}`);
        await ask();
        measure(reviewer);
        const tasks: string[] = [];
        for (let n = 1; n <= TEXTS; n++) tasks.push(await reviewer.sendForTask(`${text}\ntext ${n}\n${marker}`));
        const approve = async (): Promise<void> => {
          for (const task of tasks) await reviewer.send('Approved.', task);
        };
        if (action === 'approve_at_once') await approve();
        const questions = Promise.all(Array.from({ length: QUESTIONS }, ask));
        await Promise.race([questions, queue.reached(QUESTIONS).then(() => delay(PATIENCE_MS))]);
        measure(reviewer);
        if (action === 'approve_later') await approve();
        await questions;
      },
    };
  },
};
