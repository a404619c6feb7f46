import { readdirSync, readFileSync } from 'node:fs';
import { hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBase64 } from '../../src/base/base64.ts';
import { canonical } from '../../src/base/canonical.ts';
import { readJson } from '../../src/base/read-json.ts';
import { isTimestamp } from '../../src/base/time.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { jsonish, modelValue } from '../base/arbitraries.ts';
import { tsvRows } from '../base/tsv.ts';
import { base64 } from './support/differential.ts';
import { pairs } from './support/pairs.ts';
import { askOracle, describeWithPython } from './support/python.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** Whether a text is a readable bundle document, and the SHA-256 of its S(x). */
const readByUs = (bytes: Uint8Array): string => {
  const read = readJson(bytes, { input: 'bundle', recordAttributes: true });
  return read.ok ? nativeCrypto.sha256Hex(canonical(read.value)) : 'refused';
};

const expectSameReading = async (texts: readonly Uint8Array[]): Promise<number> => {
  const answers = await askOracle<{ read: boolean; sha256?: string; why?: string }>(
    texts.map((bytes) => ({ read: base64(bytes) })),
  );
  const disagreements = texts.flatMap((bytes, at) => {
    const [our, { sha256: their = 'refused', why }] = [readByUs(bytes), answers[at]!];
    return our === their ? [] : [{ text: Buffer.from(bytes).toString().slice(0, 300), our, their, why }];
  });
  expect(disagreements.slice(0, 20)).toEqual([]);
  return answers.filter(({ read }) => read).length;
};

/** A text with one byte removed, replaced or inserted. */
const damaged = (bytes: Uint8Array) =>
  fc
    .tuple(
      fc.nat(bytes.length - 1),
      fc.constantFrom(0, 1),
      fc.oneof(fc.constantFrom(...text('{}[]",:\\0123456789-.eEaA_ \n\tu')), fc.nat(255)),
      fc.boolean(),
    )
    .map(([at, cut, byte, isKept]) =>
      Uint8Array.from([...bytes.subarray(0, at), ...(isKept ? [byte] : []), ...bytes.subarray(at + cut)]),
    );

/** Rows in lists in the root and elsewhere, with free names where they may and may not stand. */
const attributed = fc
  .tuple(
    fc.constantFrom('exchanges', 'edges', 'elsewhere'),
    fc.constantFrom('attributes', 'other'),
    fc.constantFrom('free Name', '__proto__', 'name', ''),
    fc.constantFrom<unknown>('x', 1, null, {}, []),
    fc.nat(3),
  )
  .map(([list, member, name, value, shape]) => {
    const inner = `{${JSON.stringify(name)}:${JSON.stringify(value)}}`;
    const row = shape === 1 ? inner : `{"${member}":${inner}}`;
    const rows = shape === 2 ? `{"a":${row}}` : shape === 3 ? `[[${row}]]` : `[${row}]`;
    return text(`{"${list}":${rows}}`);
  });

const number = fc
  .tuple(
    fc.constantFrom('', '-', '+'),
    fc.constantFrom('0', '1', '00', '01', '9007199254740991', '9007199254740992', '99999999999999999999'),
    fc.constantFrom('', '.0', '.', 'e0', 'E5', 'e', '.5e1'),
  )
  .map((parts) => text(parts.join('')));

describeWithPython('the reader of section 1', () => {
  test('reads every reported text as expected', async () => {
    const rows = tsvRows('cases/json/EXPECT.tsv');
    const answers = await askOracle<{ read: boolean; sha256?: string }>(
      rows.map(({ file }) => ({ read: base64(readFileSync(`tests/cases/json/${file}`)) })),
    );
    expect(rows.length).toBe(readdirSync('tests/cases/json').filter((file) => file.endsWith('.json')).length);
    for (const [at, { file, evidence, canonical: digest }] of rows.entries()) {
      expect({ file, read: answers[at]!.read }).toEqual({ file, read: evidence === 'accept' });
      if (evidence === 'accept' && digest !== '')
        expect({ file, ...answers[at] }).toMatchObject({ file, sha256: digest });
    }
    await expectSameReading(rows.map(({ file }) => new Uint8Array(readFileSync(`tests/cases/json/${file}`))));
  });

  test('reads generated values, near-JSON, numbers and free names as we do', async () => {
    const accepted = await expectSameReading([
      ...fc.sample(modelValue, 1500).map((value) => text(JSON.stringify(value))),
      ...fc.sample(jsonish, 3000).map(text),
      ...fc.sample(number, 300),
      ...fc.sample(attributed, 500),
    ]);
    expect(accepted).toBeGreaterThan(1500);
  });

  test('reads a damaged bundle as we do', async () => {
    const [{ files }] = pairs() as [ReturnType<typeof pairs>[number]];
    const accepted = await expectSameReading(fc.sample(damaged(files.bundle), 400));
    expect(accepted).toBeGreaterThan(10);
  });

  test('holds the bounds of depth and of a string at the very edge', async () => {
    const nested = (depth: number) => text('['.repeat(depth) + ']'.repeat(depth));
    const long = (unit: string, count: number) => text(`"${unit.repeat(count)}"`);
    const mebibytes16 = 16_777_216;
    const texts = [
      nested(64),
      nested(65),
      text(`[${'['.repeat(63)}"]]]"${']'.repeat(63)}]`),
      long('a', mebibytes16),
      long('a', mebibytes16 + 1),
      long('é', mebibytes16 / 2 + 1),
    ];
    expect(await expectSameReading(texts)).toBe(3);
  });

  test('takes the reported times, and generated ones, for times as we do', async () => {
    const rows = tsvRows('cases/timestamps.tsv').map(({ value, evidence }) => ({
      value: JSON.parse(value!) as string,
      accept: evidence === 'accept',
    }));
    const two = (max: number) => fc.nat(max).map((field) => String(field).padStart(2, '0'));
    const generated = fc.sample(
      fc
        .tuple(
          fc.constantFrom('0000', '0001', '1900', '2000', '2023', '2024', '9999'),
          two(13),
          two(32),
          two(25),
          two(60),
        )
        .map(([year, month, day, hour, second]) => `${year}-${month}-${day}T${hour}:59:${second}.123Z`),
      2000,
    );
    const values = [...rows.map(({ value }) => value), ...generated];
    const answers = await askOracle<{ time: boolean }>(values.map((value) => ({ time: value })));
    expect(answers.slice(0, rows.length).map(({ time }) => time)).toEqual(rows.map(({ accept }) => accept));
    expect(values.filter((value, at) => isTimestamp(value) !== answers[at]!.time)).toEqual([]);
    expect(answers.filter(({ time }) => time).length).toBeGreaterThan(200);
  });
});

type Question = {
  readonly name: string;
  readonly key: string;
  readonly message: Uint8Array;
  readonly signature: string;
};

const json = <T>(path: string): T => JSON.parse(readFileSync(`tests/vectors/${path}`, 'utf8')) as T;
const fromHex = (hex: string): string => base64(hexToBytes(hex));

const vectors = (): readonly Question[] => {
  type Hex = Readonly<Record<string, string>>;
  type Group = { publicKey: { pk: string }; tests: { tcId: number; msg: string; sig: string }[] };
  return [
    ...tsvRows('cases/ed25519.tsv').map(({ name, public_key, message_hex, signature }) => ({
      name: name!,
      key: public_key!,
      message: hexToBytes(message_hex!),
      signature: JSON.parse(signature!) as string,
    })),
    ...json<Hex[]>('rfc8032-ed25519.json').map(({ name, public_key, message, signature }) => ({
      name: `rfc8032 ${name}`,
      key: fromHex(public_key!),
      message: hexToBytes(message!),
      signature: fromHex(signature!),
    })),
    ...json<Hex[]>('speccheck-ed25519.json').map(({ message, pub_key, signature }, at) => ({
      name: `speccheck ${at}`,
      key: fromHex(pub_key!),
      message: hexToBytes(message!),
      signature: fromHex(signature!),
    })),
    ...json<{ testGroups: Group[] }>('wycheproof-ed25519.json').testGroups.flatMap(({ publicKey, tests }) =>
      tests.map(({ tcId, msg, sig }) => ({
        name: `wycheproof ${tcId}`,
        key: fromHex(publicKey.pk),
        message: hexToBytes(msg),
        signature: fromHex(sig),
      })),
    ),
  ];
};

describeWithPython('Ed25519 of section 6', () => {
  test('the equation in point arithmetic, OpenSSL and we give one answer on every vector, and on every key', async () => {
    const questions = vectors();
    const answers = await askOracle<{ key_fault: string | null; equation: boolean; openssl: boolean }>(
      questions.map(({ key, message, signature }) => ({
        ed25519: { public_key: key, message: base64(message), signature },
      })),
    );
    const disagreements = questions.flatMap(({ name, key, message, signature }, at) => {
      const { key_fault, equation, openssl } = answers[at]!;
      const [publicKey, bytes] = [decodeBase64(key), decodeBase64(signature)];
      const isKey = publicKey !== null && nativeCrypto.checkPublicKey(publicKey) === 'ok';
      const holds = publicKey !== null && bytes !== null && nativeCrypto.verifyEd25519(publicKey, message, bytes);
      // A key that the trust store refuses is never asked about a signature: there OpenSSL decodes more than we do.
      const agree = isKey === (key_fault === null) && holds === equation && (!isKey || openssl === equation);
      return agree ? [] : [{ name, isKey, holds, key_fault, equation, openssl }];
    });
    expect(disagreements).toEqual([]);
    expect(questions.length).toBeGreaterThan(170);
    expect(answers.filter(({ key_fault, equation }) => key_fault === null && equation).length).toBeGreaterThan(50);
  });
});
