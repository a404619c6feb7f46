const SHOWN_LENGTH = 200;
const SHOWN_ITEMS = 8;

/** Takes untrusted text; returns it as a JSON string of bounded length for an explanation. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text);

/** Takes untrusted texts; returns them quoted, separated by commas, bounded in number. */
export const quotedList = (texts: readonly string[]): string => {
  if (texts.length === 0) return 'none';
  const shown = texts.slice(0, SHOWN_ITEMS).map(quoted).join(', ');
  return texts.length > SHOWN_ITEMS ? `${shown} and ${texts.length - SHOWN_ITEMS} more` : shown;
};
