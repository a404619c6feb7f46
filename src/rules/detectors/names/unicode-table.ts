const entries = (text: string): readonly (readonly [number, string])[] =>
  text.split(' ').map((entry) => {
    const colon = entry.indexOf(':');
    return [Number.parseInt(entry.slice(0, colon), 36), entry.slice(colon + 1)];
  });

/**
 * A mapping of code points to strings, read from a text of confusables.generated.ts on first use.
 * Takes that text; returns a function that maps every code point of a string and leaves those without an entry.
 */
export const mapper = (text: string): ((value: string) => string) => {
  let table: Map<string, string> | undefined;
  const read = (): Map<string, string> => {
    const map = new Map<string, string>();
    let source = 0;
    for (const [distance, target] of entries(text)) {
      source += distance;
      const points = target.split('.').map((point) => Number.parseInt(point, 36));
      map.set(String.fromCodePoint(source), String.fromCodePoint(...points));
    }
    return map;
  };
  return (value) => {
    table ??= read();
    let mapped = '';
    for (const character of value) mapped += table.get(character) ?? character;
    return mapped;
  };
};

/**
 * A set of code points, read from a text of confusables.generated.ts on first use.
 * Takes that text; returns a membership test on code points.
 */
export const membership = (text: string): ((point: number) => boolean) => {
  let runs: readonly { readonly start: number; readonly end: number }[] | undefined;
  const read = (): readonly { readonly start: number; readonly end: number }[] => {
    let end = 0;
    return entries(text).map(([distance, length]) => {
      const start = end + distance;
      end = start + Number.parseInt(length, 36);
      return { start, end };
    });
  };
  return (point) => {
    runs ??= read();
    let low = 0;
    let high = runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (runs[middle]!.end <= point) low = middle + 1;
      else high = middle;
    }
    const run = runs[low];
    return run !== undefined && run.start <= point;
  };
};
