import { writeSync } from 'node:fs';
import { ClientFactory } from '@a2a-js/sdk/client';
import { agent, capture, executorOf, userMessage } from './lab.ts';

/** Runs SDK exchanges until it is killed; says on standard output what the capture has acknowledged. */
const running = capture(process.argv[2]!);
const say = (line: string): void => void writeSync(1, `${line}\n`);
const { origin } = await agent(
  executorOf((text) => [text, 'and', 'more']),
  running,
);
const client = await new ClientFactory(running.client({ agent: 'coordinator' })).createFromUrl(origin);
for (let round = 0; ; round++) {
  say(`capability_invocations ${running.observe.capabilityUse({ capability: `c${round}`, basis: 'executed' })}`);
  for await (const event of client.sendMessageStream(userMessage(`round ${round}`))) {
    if (event.payload?.$case === 'statusUpdate')
      say(`state ${event.payload.value.taskId} ${event.payload.value.status?.state}`);
    if (event.payload?.$case === 'artifactUpdate') say(`artifact ${event.payload.value.taskId}`);
  }
  const { exchange_ids } = await running.observe.sending(() => client.sendMessage(userMessage('blocking')));
  say(`exchanges ${exchange_ids[0]}`);
}
