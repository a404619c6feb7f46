// node signals.mjs LOG: has an exchange, says `ready`, and waits for signals; each is in LOG, and soon after the first it ends with 5.
import { appendFileSync } from 'node:fs';
import { send, serve } from './json-rpc.mjs';

const [log] = process.argv.slice(2);
const { url, close } = await serve();
await send(url, 'm-1', 'hello');
let isEnding = false;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
  process.on(name, () => {
    appendFileSync(log, `${name}\n`);
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => {
      close();
      process.exit(5);
    }, 300);
  });
}
appendFileSync(log, 'ready\n');
