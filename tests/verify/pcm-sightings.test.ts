import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inMemory } from '../../src/base/byte-source.ts';
import { canonical } from '../../src/base/canonical.ts';
import { encodeUtf8, isWellFormed } from '../../src/base/utf8.ts';
import type { Records } from '../../src/evidence/bundle.ts';
import { viewsOf } from '../../src/evidence/record-view.ts';
import { scanBundle } from '../../src/evidence/scan-bundle.ts';
import { nativeCrypto } from '../../src/store/native-crypto.ts';
import { countPcmParts } from '../../src/verify/pcm-sightings.ts';
import { buildBundle } from '../support/bundle.ts';

const bundle = buildBundle();
const exchange = (bundle.exchanges as readonly object[])[0]!;

const withRequest = (text: string, binding: string) => {
  const body = {
    encoding: 'utf8',
    sha256: nativeCrypto.sha256Hex(text),
    size: encodeUtf8(text).length,
    text,
    truncated: null,
  };
  return { ...exchange, binding, request_body: body };
};

/** Of one request, as values and as it stands in a file. */
const countBoth = (text: string, binding: string) => {
  const exchanges = [withRequest(text, binding)];
  const tables = scanBundle(inMemory(encodeUtf8(canonical({ ...bundle, exchanges, artifacts: [] } as never))))!;
  return [
    countPcmParts({ exchanges, artifacts: [] } as unknown as Records),
    countPcmParts({ exchanges: viewsOf<'exchanges'>(tables.exchanges), artifacts: [] }),
  ];
};

const PART = '{"text":"x","mediaType":"application/vnd.pcm+json"}';
const REQUEST = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[${PART}]}}}`;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
/** The media type as it may be written: each letter as it is, in upper case, or as an escape of JSON, in either spelling. */
const spelling = fc
  .tuple(
    ...Array.from('application/vnd.pcm+json', (letter) =>
      fc.constantFrom(letter, letter, letter, letter.toUpperCase(), escaped(letter), escaped(letter).toUpperCase()),
    ),
  )
  .map((letters) => letters.join(''));
const noise = fc.string({
  unit: fc.constantFrom('.', 'p', 'P', 'c', 'm', 'v', 'n', 'd', '\\', 'u', 'U', '\0', '"', 'é', '\n', '\u001f', '7'),
  maxLength: 40,
});

it('a request is counted alike as a value and where it stands in the file, however its media type is written', () => {
  let counted = 0;
  fc.assert(
    fc.property(spelling, fc.constantFrom('JSONRPC', 'HTTP+JSON', 'GRPC'), (type, binding) => {
      const [values, views] = countBoth(REQUEST.replace('application/vnd.pcm+json', type), binding);
      expect(views).toEqual(values);
      counted += values!.requests + values!.grpc;
    }),
    { numRuns: 300 },
  );
  expect(counted).toBeGreaterThan(0);
});

it('so is any text', () => {
  const texts = fc
    .oneof(
      noise,
      fc.tuple(noise, noise).map(([a, b]) => `${a}vnd.pcm${b}`),
    )
    .filter(isWellFormed);
  fc.assert(
    fc.property(texts, (text) => {
      const [values, views] = countBoth(text, 'JSONRPC');
      expect(views).toEqual(values);
    }),
    { numRuns: 500 },
  );
});

it('the one part of a request that is written plainly is counted', () => {
  for (const counts of countBoth(REQUEST, 'JSONRPC')) expect(counts).toEqual({ requests: 1, responses: 0, grpc: 0 });
});
