import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { EnvironmentFault } from '../../store/fault.ts';

const MAX_QUESTION = 4_096;

/** Where a test asks for its bundle: beside the channel, in the folder that is this user's alone. */
export const answersPath = (channel: string): string => join(dirname(channel), 'tests');

/** Answers the tests of watched processes, which name themselves in one line, by one JSON text each. */
export const serveAnswers = (
  channel: string,
  answer: (test: string) => Promise<unknown>,
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

/** Asks the recorder for what a test was sealed as; returns its JSON value. Throws EnvironmentFault when it does not answer. */
export const askFor = async (channel: string, test: string): Promise<unknown> => {
  try {
    const socket = connect(answersPath(channel));
    socket.write(`${test}\n`);
    return JSON.parse(await text(socket)) as unknown;
  } catch (error) {
    throw EnvironmentFault.of(error, 'the recorder does not answer');
  }
};
