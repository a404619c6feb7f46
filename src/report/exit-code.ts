import type { Verdict } from '../verify/outcome.ts';

/** Exit codes of RULES.md, frozen: a projection of the verdict. */
export const exitCodeOf = (verdict: Verdict): 0 | 1 | 2 | 3 | 4 | 5 => {
  switch (verdict) {
    case 'FORENSICALLY_CONSISTENT':
    case 'INTEGRITY_VERIFIED':
      return 0;
    case 'FORENSICALLY_INDICATED':
      return 1;
    case 'COULD_NOT_CHECK':
      return 2;
    case 'INCONCLUSIVE':
      return 3;
    case 'INTEGRITY_REFUSED':
      return 4;
    case 'NOT_PROFILE_ADMISSIBLE':
      return 5;
  }
};
