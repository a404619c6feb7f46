import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.ts';
import { buildBundle, bytesOf } from '../support/bundle.ts';
import { forensictrace, writeAll } from './run.ts';

/** inspect judges nothing, so what it is given need not be signed, nor have any shape. */
const inspected = (bundle: JsonObject, ...args: readonly string[]) =>
  forensictrace(['inspect', writeAll({ bundle: bytesOf(bundle) }).bundle, ...args]);

describe('a bundle of a hostile stranger', () => {
  it('may name a hundred and fifty thousand relations and addresses', async () => {
    const edges = Array.from({ length: 150_000 }, (_, at) => ({ relation: `R${at}` }));
    const resolved_addresses = Array.from({ length: 150_000 }, (_, at) => `a${at}`);
    const bundle = { ...buildBundle(), edges, uri_dereferences: [{ resolved_addresses }] } as unknown as JsonObject;
    const summary = await inspected(bundle);
    expect({ code: summary.code, stderr: summary.stderr }).toEqual({ code: 0, stderr: '' });
    expect(summary.stdout).toContain('R149999');
    const indicators = await inspected(bundle, '--indicators');
    expect({ code: indicators.code, stderr: indicators.stderr }).toEqual({ code: 0, stderr: '' });
    expect(indicators.stdout).toContain('a149999');
  });

  it.each([[[]], [['--json']], [['--indicators']], [['--indicators', '--json']]])(
    'cannot write to the terminal (%j)',
    async (args) => {
      const hostile = 'http://h/\u009b2J\u202e\x7f\u2028\x1b[2J';
      const bundle = {
        ...buildBundle(),
        trace_metadata: [{ incident_id: hostile, coverage: {} }],
        uri_references: [{ reference_id: hostile, uri: hostile }],
        edges: [{ relation: hostile }],
      } as unknown as JsonObject;
      const { code, stdout } = await inspected(bundle, ...args);
      expect(code).toBe(0);
      expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    },
  );
});
