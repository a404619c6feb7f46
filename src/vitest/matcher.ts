import type { CapturedTest } from '../capture/channel/answers.ts';
import { briefOf } from '../report/brief.ts';
import type { Judged } from './judge.ts';
import { TestCapture } from './test-capture.ts';

const EXPECTED = 'FORENSICALLY_CONSISTENT';

type Matched = {
  readonly pass: boolean;
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
};

const diffable = ({ verdict, faults }: Judged): unknown => ({
  verdict,
  because: faults.map(({ reason, where }) => `${reason}: ${where}`),
});

/** Where the evidence of a test is, and how to look at it. */
export const evidenceOf = ({ bundle, next }: CapturedTest): string => `evidence: ${bundle}\nverify it: ${next}`;

/** `expect(capture).toBeForensicallyConsistent()`: what is not a verdict, such as a trust store that is missing, throws. */
export const toBeForensicallyConsistent = async (received: unknown): Promise<Matched> => {
  if (!(received instanceof TestCapture))
    throw new TypeError(
      'expect(capture): `capture` of the test context is needed, as in test(name, ({ capture }) => …)',
    );
  const captured = await received.seal();
  // Only tests that ask for a verdict load the verifier.
  const result = (await import('./judge.ts')).judged(captured);
  const { verdict, faults } = result;
  const pass = verdict === EXPECTED;
  return {
    pass,
    message: () =>
      pass
        ? `expected this test not to be ${EXPECTED}\n${evidenceOf(captured)}`
        : [`expected this test to be ${EXPECTED}; it is ${verdict}`, ...briefOf(faults), evidenceOf(captured)].join(
            '\n',
          ),
    ...(!pass && { actual: diffable(result), expected: { verdict: EXPECTED, because: [] } }),
  };
};
