import { type Node, PatternError, parsePattern } from './id-pattern-syntax.ts';
import { PCM_LIMITS } from './limits.ts';

type State =
  | { readonly kind: 'one'; readonly accepts: (code: number) => boolean; next: number }
  | { readonly kind: 'split'; readonly next: number[] }
  | { readonly kind: 'end' };

/** Builds the automaton of Thompson (CACM 11(6), 1968) backwards: each piece is given the state that follows it. */
class Builder {
  readonly states: State[] = [];
  private steps = 0;

  add(state: State): number {
    if (this.states.length >= PCM_LIMITS.patternStates)
      throw new PatternError(`it needs more than ${PCM_LIMITS.patternStates} states`);
    return this.states.push(state) - 1;
  }

  build(node: Node, next: number): number {
    // Repetitions of nothing add no state, and nested they would never end.
    if (++this.steps > 4 * PCM_LIMITS.patternStates) throw new PatternError('it repeats too much');
    switch (node.kind) {
      case 'one':
        return this.add({ kind: 'one', accepts: node.accepts, next });
      case 'sequence':
        return node.parts.reduceRight((after, part) => this.build(part, after), next);
      case 'choice':
        return this.add({ kind: 'split', next: node.options.map((option) => this.build(option, next)) });
      case 'repeat':
        return this.repeat(node, next);
    }
  }

  private repeat({ part, min, max }: Node & { kind: 'repeat' }, next: number): number {
    let start = next;
    if (max === null) {
      const loop: number[] = [next];
      start = this.add({ kind: 'split', next: loop });
      loop.push(this.build(part, start));
    } else {
      for (let i = min; i < max; i++) start = this.add({ kind: 'split', next: [this.build(part, start), next] });
    }
    for (let i = 0; i < min; i++) start = this.build(part, start);
    return start;
  }
}

/** All states that are reached from these without a character. */
const closure = (states: readonly State[], from: Iterable<number>): ReadonlySet<number> => {
  const reached = new Set<number>();
  const open = [...from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    const state = states[at]!;
    if (state.kind === 'split') for (const next of state.next) open.push(next);
  }
  return reached;
};

/** A pattern of an id field. */
export type IdPattern = { readonly matches: (text: string) => boolean };

/**
 * Takes the text of an `id` pattern; returns what tells whether it matches a whole text, or in words why the pattern is refused. The time is that
 * of characters times states: a schema's pattern meets a stranger's text, and a matcher that backtracks could be made to hang
 * (docs/PCM.md section 6 states the dialect).
 */
export const compileIdPattern = (source: string): IdPattern | string => {
  try {
    const builder = new Builder();
    const end = builder.add({ kind: 'end' });
    const start = builder.build(parsePattern(source), end);
    return { matches: (text) => run(builder.states, start, end, text) };
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
};

const run = (states: readonly State[], start: number, end: number, text: string): boolean => {
  let current = closure(states, [start]);
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const next: number[] = [];
    for (const at of current) {
      const state = states[at]!;
      if (state.kind === 'one' && state.accepts(code)) next.push(state.next);
    }
    if (next.length === 0) return false;
    current = closure(states, next);
  }
  return current.has(end);
};
