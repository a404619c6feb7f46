import { existsSync } from 'node:fs';
import { answersPath, askFor, type CapturedTest } from '../capture/channel/answers.ts';

/** What is recorded of one test. */
export class TestCapture {
  readonly #channel: string;
  readonly #test: string;

  constructor(channel: string, test: string) {
    this.#channel = channel;
    this.#test = test;
  }

  /** Whether this run has a bundle for each test. */
  get isOwn(): boolean {
    return existsSync(answersPath(this.#channel));
  }

  /** Ends the recording, seals it, and says where it is; the same each time. Throws what keeps the recorder from it. */
  async seal(): Promise<CapturedTest> {
    if (!this.isOwn)
      throw new Error(
        'this run is captured into one bundle, so this test has none to judge: run it with forensictrace capture --per-test -- COMMAND, or the command alone',
      );
    const answer = await askFor(this.#channel, this.#test);
    if ('fault' in answer) throw new Error(`the capture of this test could not be sealed: ${answer.fault}`);
    return answer;
  }
}
