import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { EnvironmentFault } from '../../store/fault.ts';

const MAX_QUESTION = 4_096;

/** The sealed capture of a test; files are absolute paths. */
export type CapturedTest = {
  readonly incident: string;
  readonly bundle: string;
  readonly receipt: string;
  readonly profile: string;
  readonly trust: string;
  readonly exchanges: number;
  /** A2A calls of the test that came after its capture had ended. */
  readonly late: number;
  /** The command that verifies the bundle. */
  readonly next: string;
};
/** What a test is told that asks for its capture. */
export type TestAnswer = CapturedTest | { readonly fault: string };

/** Where a test asks: beside the channel, in the folder that is this user's alone. */
export const answersPath = (channel: string): string => join(dirname(channel), 'tests');

/** Answers the tests of watched processes, each of which names itself in one line. Throws EnvironmentFault where the system has no such sockets. */
export const serveAnswers = (
  channel: string,
  answer: (test: string) => Promise<TestAnswer>,
): Promise<{ close(): void }> => {
  const server = createServer((socket) => {
    let question = '';
    socket.setEncoding('utf8');
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: string) => {
      question += chunk;
      const end = question.indexOf('\n');
      if (end < 0 && question.length <= MAX_QUESTION) return;
      socket.removeAllListeners('data');
      if (end < 0) socket.destroy();
      else void answer(question.slice(0, end)).then((told) => socket.end(JSON.stringify(told)));
    });
  });
  return new Promise((done, fail) => {
    server.once('error', (error) => fail(EnvironmentFault.of(error, 'cannot answer the tests')));
    server.listen(answersPath(channel), () => done(server));
  });
};

/** Asks the recorder to seal what a test did, and for where it is. Throws EnvironmentFault when it does not answer. */
export const askFor = async (channel: string, test: string): Promise<TestAnswer> => {
  try {
    const socket = connect(answersPath(channel));
    socket.write(`${test}\n`);
    return JSON.parse(await text(socket)) as TestAnswer;
  } catch (error) {
    throw EnvironmentFault.of(error, 'the recorder does not answer');
  }
};
