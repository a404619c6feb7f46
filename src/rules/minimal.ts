import { type Graph, graphOf } from '../relate/graph.ts';
import { type Element, elementKey, isEdge, type Node } from '../relate/nodes.ts';
import type { Profile } from './profile.ts';
import type { Rule, Statement } from './rule.ts';

const isNode = (element: Element): element is Node => !isEdge(element);

const restricted = (elements: readonly Element[]): Graph => graphOf(elements.filter(isNode), elements.filter(isEdge));

const same = (a: Statement, b: Statement): boolean =>
  a.reason === b.reason && a.affected.type === b.affected.type && a.affected.id === b.affected.id;

/**
 * Finds minimal evidence of a statement among its path and support: the rule makes the same statement on these elements
 * alone, and no longer does without any one of them. Asking the rule itself keeps this true whatever the rule is.
 */
export const minimalEvidence = (judge: Rule['judge'], statement: Statement, profile: Profile): readonly Element[] => {
  const holds = (elements: readonly Element[]): boolean =>
    judge(restricted(elements), profile).statements.some((other) => same(statement, other));
  let kept = [...new Map([...statement.path, ...(statement.support ?? [])].map((e) => [elementKey(e), e])).values()];
  // A script streamed over thousands of chunks needs them all: asking for each would cost the square of their number.
  const required = new Map(statement.required?.map((element) => [elementKey(element), element]));
  if (required.size === kept.length || (required.size > 0 && holds([...required.values()])))
    return [...required.values()];
  for (let shrunk = true; shrunk; ) {
    shrunk = false;
    for (const element of [...kept].reverse()) {
      if (required.has(elementKey(element))) continue;
      const rest = kept.filter((other) => other !== element);
      if (holds(rest)) {
        kept = rest;
        shrunk = true;
      }
    }
  }
  return kept;
};
