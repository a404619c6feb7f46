/** An identifier of FORMAT section 3. No `m` flag: `$` then matches at the very end alone, a trailing newline is refused. */
export const ID_PATTERN = /^[A-Za-z0-9._:-]{1,128}$/;
const MEMBER_NAME = /^[a-z][a-z0-9_]*$/;

/** True for an identifier of FORMAT section 3. */
export const isId = (text: string): boolean => ID_PATTERN.test(text);

/** A member name of FORMAT section 1: `[a-z][a-z0-9_]*`. */
export const isMemberName = (text: string): boolean => MEMBER_NAME.test(text);

/** Exactly `digits` lower-case hex digits. */
export const isHex = (text: string, digits: number): boolean => text.length === digits && /^[0-9a-f]*$/.test(text);
