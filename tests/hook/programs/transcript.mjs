// What a program can see of its own calls, as JSON without times: the same with and without a capture.
import { createHash } from 'node:crypto';

export const digest = (bytes) => {
  const buffer = Buffer.from(bytes);
  return `${buffer.length} bytes ${createHash('sha256').update(buffer).digest('hex').slice(0, 16)}`;
};

/** As which of these a reset shows is up to the kernel. */
const LOST = ['other side closed', 'read ECONNRESET'];

export const failure = (error) => {
  if (error === null || typeof error !== 'object') return String(error);
  const { name, message, code, cause } = error;
  if (LOST.includes(message)) return 'connection lost';
  const told = message.replace(/127\.0\.0\.\d:\d+/g, 'PEER');
  return { name, type: error.constructor.name, message: told, code, ...(cause && { cause: failure(cause) }) };
};

/** Cases that run at once: more would fight for the same sockets, and leave to chance who wins. */
const LANES = 8;

/** Runs each case; prints what each told, and what it threw. */
export const transcribe = async (cases) => {
  const pending = Object.entries(cases);
  const transcript = {};
  const lane = async () => {
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      const [name, work] = next;
      const steps = [];
      transcript[name] = steps;
      const tell = (...step) => steps.push(step);
      await work(tell).catch((error) => tell('thrown', failure(error)));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  process.stdout.write(JSON.stringify(transcript));
};
