export const RESULT_FORMAT = 'a2aft.result.v1';
/** How many findings and agents of one pair are listed; all are counted. */
export const LISTED = 64;
