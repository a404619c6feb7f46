import { type Ending, endingOf } from '../ending.ts';

type Fault = { readonly name?: unknown; readonly code?: unknown; readonly cause?: unknown };

const asFault = (error: unknown): Fault => (typeof error === 'object' && error !== null ? error : {});
const MAX_CAUSES = 8;
const MAX_NAME = 1_000;

/** How a call ended that failed with this error. What the wire makes Node and undici throw has a code: an error without one is the program's own reason to stop. */
export const endingOfCall = (error: unknown): Ending => {
  const how = endingOf(error);
  const { name, code } = asFault(error);
  // That of undici 7 lacks its code.
  const isOfWire = typeof code === 'string' || name === 'HTTPParserError';
  return how === 'reset' && !isOfWire ? 'aborted' : how;
};

/** Name and code of an error and of its causes; messages may quote secrets. Null when there is none. */
export const faultOf = (error: unknown): string | null => {
  const names: string[] = [];
  for (let fault: unknown = error; fault !== undefined && fault !== null && names.length < MAX_CAUSES; ) {
    const { name, code, cause } = asFault(fault);
    names.push([name, code].filter((part) => typeof part === 'string').join(' '));
    fault = cause;
  }
  return (
    names
      .filter((name) => name !== '')
      .join(': ')
      .slice(0, MAX_NAME) || null
  );
};
