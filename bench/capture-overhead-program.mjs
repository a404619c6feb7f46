// node capture-overhead-program.mjs COUNT BYTES: so many exchanges with an agent in this process, whose messages have so many bytes of text; a tenth more go
// before them untimed. Prints the milliseconds that one took in the middle (median).
import { send, serve } from '../tests/hook/programs/json-rpc.mjs';

const [count, bytes] = process.argv.slice(2).map(Number);
const { url, close } = await serve();
const text = 'x'.repeat(bytes);
const times = [];
for (let sent = -Math.ceil(count / 10); sent < count; sent++) {
  const from = performance.now();
  await send(url, `message ${sent}`, text);
  if (sent >= 0) times.push(performance.now() - from);
}
close();
times.sort((a, b) => a - b);
console.log(times[Math.floor(times.length / 2)]);
