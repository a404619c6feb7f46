import assert from 'node:assert/strict';
import { test } from 'node:test';

const refundOf = (paid, returned) => Math.min(paid, returned);

void test('no more is refunded than was paid', () => assert.equal(refundOf(12_000, 50_000), 12_000));
