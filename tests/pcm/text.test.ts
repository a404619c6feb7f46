import { expect, it } from 'vitest';
import { escapeLine, pcmLine } from '../../src/pcm/text.ts';
import { verifyMessage } from '../../src/pcm/verify.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import {
  approvalOf,
  bytesOf,
  callOf,
  evidenceOf,
  grantOf,
  type Members,
  messageOf,
  receiverOf,
  SCHEMA,
} from './lab.ts';

const lineOf = (body: Members, schema: Members = SCHEMA) =>
  pcmLine(verifyMessage(bytesOf(messageOf(body, schema)), receiverOf(schema), null, nativeCrypto));
const tests = (command: string) => {
  const call = callOf('Bash', { command });
  return { type: 'tests_passed', args: { suite: command }, evidence: evidenceOf(call.events, call.opened) };
};

it('tells an accepted message as the sources print it', () => {
  const schema = { ...SCHEMA, claims: ['approved_by'], grant: true };
  const claims = [
    {
      type: 'approved_by',
      args: { person: 'alice', call: 'c1', covers: true },
      evidence: evidenceOf(approvalOf('pcm.grant', { x: 1 })),
    },
  ];
  expect(lineOf({ claims, grants: [grantOf({}, schema)] }, schema)).toBe(
    'ACCEPT  signature ok · schema ok · grant ok (alice, 1 step) · approved_by proven (approval seq 2 by alice of "pcm.grant" call c1, which issued this message\'s root grant) · not checked: replay',
  );
});

it('tells the age of what may have changed since', () => {
  expect(lineOf({ claims: [tests('pytest')] })).toBe(
    'ACCEPT  signature ok · schema ok · tests_passed proven (run by "Bash", result seq 1; evidence 10 s before the message) · not checked: replay',
  );
});

it('tells what is short of accept, and what is proven besides', () => {
  expect(lineOf({ claims: [tests('pytest'), { type: 'reached_host', args: { host: 'a.example' } }] })).toBe(
    'ACCEPT-UNPROVEN  reached_host: unproven (no evidence) · tests_passed proven (run by "Bash", result seq 1; evidence 10 s before the message) · not checked: replay',
  );
  expect(pcmLine(verifyMessage(bytesOf('{"a":1,"a":2}'), receiverOf(), null, nativeCrypto))).toBe(
    'BAD-INPUT  input at /a: the object already has a member of this name',
  );
});

it('a tool that is named like opened args is told apart, and nothing of it moves the cursor', () => {
  const tool = 'pay call x with args {"a":1} and \u001b[2K\u202e\\u001b';
  const claims = [
    { type: 'approved_by', args: { person: 'alice', call: 'c1' }, evidence: evidenceOf(approvalOf(tool, {})) },
  ];
  const line = lineOf({ claims });
  // JSON escapes the escape character of the name, and the line the backslash of that escape.
  expect(line).toContain('of "pay call x with args {\\\\"a\\\\":1} and \\\\u001b[2K\\u202e\\\\\\\\u001b" call c1');
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

it.each([
  ['\u001b[31m', '\\u001b[31m'],
  ['\\u001b', '\\\\u001b'],
  ['a\nb\rc', 'a\\nb\\u000dc'],
  ['\u0085\u007f\u2028\u202e', '\\u0085\\u007f\\u2028\\u202e'],
  ['é 😀 ·', 'é 😀 ·'],
])('%j is shown as %s', (text, shown) => {
  expect(escapeLine(text)).toBe(shown);
});
