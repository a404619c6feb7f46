import type { JsonValue } from '../../../src/base/json-value.ts';
import type { Path } from '../../support/edit.ts';

const isNode = (value: JsonValue): boolean => typeof value === 'object' && value !== null;

/** Every place in a value, the value itself first. */
export function* places(node: JsonValue, path: Path = []): Generator<Path> {
  yield path;
  if (!isNode(node)) return;
  for (const [step, value] of Object.entries(node as object)) {
    yield* places(value as JsonValue, [...path, Array.isArray(node) ? Number(step) : step]);
  }
}
