/** Puts items into lists of so many. */
export function* batchesOf<T>(items: Iterable<T>, size: number): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Has `work` done on at most `atOnce` items at a time; gives item and answer in the order of the items. Throws what `work` throws, when its turn comes. */
export async function* inOrder<T, R>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<readonly [T, R]> {
  const begun: { readonly item: T; readonly answer: Promise<R> }[] = [];
  for (const item of items) {
    const answer = work(item);
    answer.catch(() => {});
    begun.push({ item, answer });
    if (begun.length < atOnce) continue;
    const first = begun.shift()!;
    yield [first.item, await first.answer];
  }
  for (const { item, answer } of begun) yield [item, await answer];
}
