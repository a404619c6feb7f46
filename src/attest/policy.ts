import * as z from 'zod';
import type { Crypto } from '../base/crypto.ts';
import { jcsHash } from '../pcm/jcs.ts';
import { TOOL_CLASSES } from '../pcm/tools.ts';
import type { PcmValue } from '../pcm/value.ts';
import { type AskPattern, compileAskPattern } from './ask-pattern.ts';
import type { Decision } from './state.ts';

const ToolName = z.string().min(1).max(256);

/** The policy document (docs/PCM-SIGNER.md section 4). */
export const PolicyDocument = z.strictObject({
  tools: z.record(ToolName, z.string().min(1).max(64)),
  ask: z.array(z.strictObject({ id: z.string().min(1).max(64), tool: ToolName, pattern: z.string() })).default([]),
  unknown_tools: z.enum(['deny', 'flag', 'ask', 'allow']).default('deny'),
});

export type Policy = {
  /** Hash of the document's canonical text, which every decision names. */
  readonly hash: string;
  /** True when a rule may ask about this tool: its args are then read by a pattern, and maybe by a person. */
  readonly mayAsk: (tool: string) => boolean;
  /** Takes a tool and the canonical text of the args; returns the decision and the rules that asked. */
  readonly decide: (tool: string, args: string) => { readonly decision: Decision; readonly ruleIds: readonly string[] };
};

type Rule = { readonly id: string; readonly tool: string; readonly found: AskPattern };

const ruleOf = ({ id, tool, pattern }: { id: string; tool: string; pattern: string }): Rule | string => {
  const found = compileAskPattern(pattern);
  return typeof found === 'string' ? `the pattern of the ask rule ${id} is refused: ${found}` : { id, tool, found };
};

/** Takes a policy document that has its shape; returns it ready to decide, or in words why it is refused. */
export const policyOf = (document: z.infer<typeof PolicyDocument>, crypto: Crypto): Policy | string => {
  const tools = new Map(Object.entries(document.tools));
  for (const [tool, placed] of tools) {
    const fixed = TOOL_CLASSES.get(tool);
    if (fixed !== undefined && fixed !== placed)
      return `it places ${tool} as ${placed}, which PCM 0.1 places as ${fixed}: receivers read it so whatever a policy says`;
  }
  const compiled = document.ask.map(ruleOf);
  const fault = compiled.find((rule) => typeof rule === 'string');
  if (fault !== undefined) return fault;
  const rules = compiled as Rule[];
  return {
    hash: jcsHash(document as PcmValue, crypto),
    mayAsk: (tool) =>
      rules.some((rule) => rule.tool === tool) || (document.unknown_tools === 'ask' && !tools.has(tool)),
    decide: (tool, args) => {
      const ruleIds = rules.filter((rule) => rule.tool === tool && rule.found(args)).map(({ id }) => id);
      if (ruleIds.length > 0) return { decision: 'ask', ruleIds };
      return { decision: tools.has(tool) ? 'allow' : document.unknown_tools, ruleIds };
    },
  };
};
