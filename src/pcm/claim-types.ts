/** The closed vocabulary of claims. */
export const CLAIM_TYPES = ['tests_passed', 'approved_by', 'reached_host', 'file_written'] as const;
export type ClaimType = (typeof CLAIM_TYPES)[number];

/** The level of a claim's result: doubt is never proof, and unproven is no failure. */
export const CLAIM_RESULTS = ['proven', 'unproven', 'failed'] as const;
export type ClaimResult = (typeof CLAIM_RESULTS)[number];
