import { type Assertion, expect, expectTypeOf, type TestContext, test } from 'vitest';
import type { Plugin } from 'vitest/config';
import { forensictrace, type TestCapture } from '../../src/vitest/index.ts';

test('the plugin fits a configuration, and the context of a test and its matchers are typed', () => {
  const plugin = forensictrace({ profile: 'profiles/general.json', redact: ['API_KEY'] });
  expectTypeOf(plugin).toEqualTypeOf<Plugin>();
  expectTypeOf<TestContext['capture']>().toEqualTypeOf<TestCapture>();
  expectTypeOf<Assertion['toBeForensicallyConsistent']>().toEqualTypeOf<() => Promise<void>>();
  expect(plugin.name).toBe('forensictrace');
});
