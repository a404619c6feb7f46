/** A setup file of vitest: runs each test in a capture of its own. */
import { randomUUID } from 'node:crypto';
import { aroundEach, expect } from 'vitest';
import { CHANNEL_VARIABLE } from '../capture/channel/variable.ts';
import { installedHook } from '../capture/hook/installed.ts';
import { evidenceOf, toBeForensicallyConsistent } from './matcher.ts';
import { TestCapture } from './test-capture.ts';

/** Sealing waits for what the test left open, and signs what may be long. */
const SEAL_MS = 120_000;

const channel = process.env[CHANNEL_VARIABLE];
const hook = installedHook();
if (channel === undefined || hook === undefined)
  throw new Error('forensictrace: the hook is not in this process; was NODE_OPTIONS taken away?');

hook.runsTests();
expect.extend({ toBeForensicallyConsistent });

aroundEach(async (runTest, context) => {
  const { task } = context;
  const test = randomUUID();
  const capture = new TestCapture(channel, test);
  Object.assign(context, { capture });
  await hook.inTest(test, task.fullName, runTest);
  if (!capture.isOwn) return;
  const captured = await capture.seal();
  const failure = task.result?.state === 'fail' ? task.result.errors?.at(-1) : undefined;
  if (failure !== undefined && !failure.message.includes(captured.bundle))
    failure.message += `\n\n${evidenceOf(captured)}`;
  if (captured.late > 0) {
    throw new Error(
      `${captured.late} A2A calls of this test came after its capture had ended: let toBeForensicallyConsistent() be its last line, and end in it what it began\n\n${evidenceOf(captured)}`,
    );
  }
}, SEAL_MS);
