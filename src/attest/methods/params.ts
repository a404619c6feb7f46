import * as z from 'zod';

/** Members that several calls take. */
export const RunId = z.string().regex(/^[0-9a-f]{32}$/, 'a run is 32 hex digits');
export const CallId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, 'the id of a call is 1 to 128 letters, digits and . _ : -');
export const Tool = z.string().min(1).max(256);
export const RunTokenText = z.string().max(128).optional();
export const ApprovalId = z.string().regex(/^apr-[0-9a-f]{32}$/, 'an approval is apr- and 32 hex digits');
export const Count = (max: number) => z.number().int().min(0).max(max);
