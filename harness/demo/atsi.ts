import { RESEARCHER } from '../lab/cards.ts';
import { SANITIZER, sanitize } from '../lab/sanitizer.ts';
import type { Scenario } from './scenario.ts';

const PANEL = { name: 'report-panel', host: 'panel.agents.test' } as const;

/** The script is inert: an expression without effect, in a page that no browser ever shows. */
const reportOf = (marker: string): string =>
  `<h1>Tidal power</h1><p>Reference <b>${marker}</b></p><script>void "a2aft-inert-marker ${marker}"</script>`;

const bytesOf = (text: string): Uint8Array => Buffer.from(text);

type Action = 'sanitize_then_render' | 'render_as_received';

/**
 * Artifact-triggered script injection. The researcher answers with an HTML report that holds an inert script. The desk
 * shows the report in a renderer: as it came, past its sanitizer, or cleaned by it first. Beside it
 * stands a view of the page's source, where nothing is interpreted.
 */
export const atsi: Scenario<Action, null> = {
  family: 'ATSI',
  setups: { condition: null, control: null },
  script: { condition: 'render_as_received', control: 'sanitize_then_render' },
  async open(lab) {
    await lab.startAgent(RESEARCHER, (turn) => {
      const report = reportOf(turn.text.split('\n').at(-1) ?? '');
      lab.log.push({ what: 'report_written', agent: RESEARCHER.agent, text: report });
      turn.open();
      turn.produce('report', report, 'text/html');
      turn.enter('COMPLETED');
    });
    await lab.startRenderer(PANEL.host);
    return {
      async act(action, { text, marker }) {
        const researcher = await lab.connect(RESEARCHER.host);
        const { text: report, ...reply } = await researcher.send(`${text}\n${marker}`);
        const which = { task_id: reply.taskId ?? '', artifact_id: reply.artifactIds[0] ?? '' };
        const cleaned = action === 'sanitize_then_render' ? sanitize(report) : null;
        lab.log.push({ what: 'sanitizer', ...SANITIZER, input: report, output: cleaned });
        const sanitizer_id = lab.observe.sanitizer({
          ...which,
          ...SANITIZER,
          input: bytesOf(report),
          output: cleaned === null ? null : bytesOf(cleaned),
        });
        const page = cleaned ?? report;
        const rendered = { ...which, renderer: PANEL.name, input: bytesOf(page), sanitizer_id };
        lab.observe.render({ ...rendered, interpreted_as: 'text/html', mode: 'interpreted' });
        await lab.post(`http://${PANEL.host}/`, 'text/html', page);
        lab.observe.render({ ...rendered, interpreted_as: 'text/plain', mode: 'source' });
        await lab.post(`http://${PANEL.host}/source`, 'text/plain', page);
      },
    };
  },
};
