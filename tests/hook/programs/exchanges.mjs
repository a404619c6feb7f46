// node exchanges.mjs LOG COUNT: sends so many messages to an agent in this process. LOG gets the id of each message whose answer is there, and each
// line is in the file before the next message is sent.
import { appendFileSync } from 'node:fs';
import { send, serve } from './json-rpc.mjs';

const [log, count] = process.argv.slice(2);
const { url, close } = await serve();
for (let sent = 0; sent < Number(count); sent++) {
  const messageId = `${process.pid}-${sent}`;
  await send(url, messageId, `message ${sent}`);
  appendFileSync(log, `${messageId}\n`);
}
close();
console.log(`${count} exchanges passed`);
