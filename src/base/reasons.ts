import { ADMISSIBILITY_REASONS } from './reasons/admissibility.ts';
import { AS_REASONS } from './reasons/as.ts';
import { ASRF_REASONS } from './reasons/asrf.ts';
import { ATSI_REASONS } from './reasons/atsi.ts';
import { CC_REASONS } from './reasons/cc.ts';
import { CO_REASONS } from './reasons/co.ts';
import { COMMON_REASONS } from './reasons/common.ts';
import { HOTF_REASONS } from './reasons/hotf.ts';
import { INTEGRITY_REASONS } from './reasons/integrity.ts';
import { PCM_REASONS_OF_TRACES } from './reasons/pcm.ts';
import { PROFILE_REASONS } from './reasons/profile.ts';
import { READ_REASONS } from './reasons/read.ts';
import { VERDICT_REASONS } from './reasons/verdict.ts';

/** The reason registry: every code that a refusal, a finding or an observation can carry. The union type is read off it. */
export const REASONS = {
  ...READ_REASONS,
  ...INTEGRITY_REASONS,
  ...PROFILE_REASONS,
  ...ADMISSIBILITY_REASONS,
  ...VERDICT_REASONS,
  ...COMMON_REASONS,
  ...AS_REASONS,
  ...CC_REASONS,
  ...CO_REASONS,
  ...HOTF_REASONS,
  ...ASRF_REASONS,
  ...ATSI_REASONS,
  ...PCM_REASONS_OF_TRACES,
} as const;
export type Reason = keyof typeof REASONS;
