import type { Family } from '../base/reasons/entry.ts';
import { asrf } from './asrf.ts';
import { atsi } from './atsi.ts';
import { capability } from './capability.ts';
import { discovery } from './discovery.ts';
import { routing } from './routing.ts';
import type { Rule } from './rule.ts';
import { saturation } from './saturation.ts';

/** The rules, one per condition family. */
export const RULES = {
  AS: discovery,
  CC: capability,
  CO: routing,
  HOTF: saturation,
  ASRF: asrf,
  ATSI: atsi,
} as const satisfies Record<Family, Rule>;
