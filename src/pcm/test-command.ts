/** What begins a test command, word by word, compared exactly: the program is a bare name that PATH resolves. */
export const TEST_RUNNERS: readonly string[] = [
  'pytest',
  'py.test',
  'python -m pytest',
  'python3 -m pytest',
  'python -m unittest',
  'python3 -m unittest',
  'tox',
  'nox',
  'nose2',
  'trial',
  'behave',
  'jest',
  'vitest',
  'mocha',
  'ava',
  'karma',
  'cucumber',
  'playwright test',
  'phpunit',
  'rspec',
  'ctest',
  'npm test',
  'npm run test',
  'yarn test',
  'yarn run test',
  'pnpm test',
  'pnpm run test',
  'bun test',
  'go test',
  'cargo test',
  'cargo nextest run',
  'dotnet test',
  'deno test',
  'swift test',
  'mix test',
  'bazel test',
  'make test',
  'make check',
  'mvn test',
  'mvn verify',
  'gradle test',
  'gradle check',
];

/** Operators, redirections, expansions, escapes, comments, globs and control characters: with one, a shell does more than run a command. */
const NO_PLAIN_WORD = /[;&|()<>$`\\#{}*?[\]\u0000-\u0008\u000a-\u001f\u007f]/;
const RUNS_NOTHING = ['--help', '--version', '--collect-only'];

const runsNothing = (word: string): boolean =>
  word === '-h' || word === '-V' || (word.length >= 3 && RUNS_NOTHING.some((option) => option.startsWith(word)));

/** Words split at spaces and tabs, with '…' and "…" grouping; null when a quote has no end. */
const wordsOf = (line: string): readonly string[] | null => {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (const character of line) {
    if (quote !== null) {
      if (character === quote) quote = null;
      else word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= '';
    } else if (character === ' ' || character === '\t') {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + character;
  }
  if (quote !== null) return null;
  return word === null ? words : [...words, word];
};

/** Takes a command line; true when it is one plain test command (docs/PCM.md section 10). It says nothing of what the runner's own flags do. */
export const isTestCommand = (line: string): boolean => {
  const words = NO_PLAIN_WORD.test(line) ? null : wordsOf(line);
  if (words === null || words.some(runsNothing)) return false;
  return TEST_RUNNERS.some((runner) => runner.split(' ').every((word, i) => words[i] === word));
};
