import { lookup } from 'node:dns/promises';
import type { Desk } from '../desk.ts';
import { approvedRefund } from '../made.ts';
import { file, host } from '../scene.ts';
import { PATHS, SPELLINGS } from '../spellings.ts';
import { tell, times } from '../telling.ts';

type Edit = readonly [string, (text: string) => Buffer];

const replaced =
  (from: RegExp, to: string) =>
  (text: string): Buffer => {
    if (!from.test(text)) throw new Error(`nothing of ${from} is in the message`);
    return Buffer.from(text.replace(from, to));
  };
/** In the args of the request, not in those that the evidence opens. */
const AMOUNT = /(?<="intent":\{"args":\{)"amount":(\d+)/;
const ORDER = /(?<="intent":\{"args":\{"amount":\d+,)"order"/;
const INTENT = /"intent":\{"args":/;
const TYPE = /"type":"refund\.request/;
/** Bytes in the place of a mark. */
const spliced =
  (...bytes: readonly number[]) =>
  (text: string): Buffer => {
    const at = text.search(ORDER);
    return Buffer.concat([
      Buffer.from(text.slice(0, at)),
      Buffer.from('"note":"'),
      Buffer.from(bytes),
      Buffer.from('",'),
      Buffer.from(text.slice(at)),
    ]);
  };
const NESTED = 400;

/** What a sender does to the text of a message that a signer signed. */
const EDITS: readonly Edit[] = [
  ['a name twice, the false value first', replaced(AMOUNT, '"amount":900000,"amount":$1')],
  ['a name twice, the false value last', replaced(AMOUNT, '"amount":$1,"amount":900000')],
  ['a name twice, once escaped, the false value first', replaced(AMOUNT, '"\\u0061mount":900000,"amount":$1')],
  ['a name twice, once escaped, the false value last', replaced(AMOUNT, '"amount":$1,"\\u0061mount":900000')],
  ['the receiver twice', replaced(/"to":/, '"to":{"agent":"token:agent-z"},"to":')],
  ['the args twice', replaced(INTENT, '"intent":{"args":{"amount":900000,"order":1},"args":')],
  ['the claims twice, none first', replaced(/"claims":/, '"claims":[],"claims":')],
  ['the intent twice', replaced(/"intent":/, '"intent":{},"intent":')],
  ['a number with a point, which some readers keep', replaced(AMOUNT, '"amount":$1.0')],
  ['a number with an exponent', replaced(AMOUNT, '"amount":$1e0')],
  ['a number that doubles round to the one that was signed', replaced(AMOUNT, '"amount":$1.00000000000000000001')],
  ['a number that readers with more digits take for another', replaced(AMOUNT, '"amount":$1.0000000000001e0')],
  ['a number that overflows a double', replaced(AMOUNT, '"amount":1e400')],
  ['an integer beyond those that doubles hold', replaced(AMOUNT, '"amount":9007199254740993')],
  ['a number with a plus', replaced(AMOUNT, '"amount":+$1')],
  ['bytes that are not UTF-8', spliced(0xff, 0xfe)],
  ['UTF-8 longer than it needs to be', spliced(0xc0, 0xaf)],
  ['UTF-8 that is cut off', spliced(0xe2, 0x82)],
  ['half a surrogate pair, escaped', replaced(ORDER, '"note":"\\ud800","order"')],
  ['the other half of a surrogate pair, escaped', replaced(ORDER, '"note":"\\udc00","order"')],
  ['half a surrogate pair in UTF-8', spliced(0xed, 0xa0, 0x80)],
  ['nested deeper than readers go', replaced(ORDER, `"note":${'['.repeat(NESTED)}${']'.repeat(NESTED)},"order"`)],
  [
    'nested deeper than readers go, in a member of its own',
    replaced(TYPE, `"deep":${'{"a":'.repeat(NESTED)}0${'}'.repeat(NESTED)},"type":"refund.request`),
  ],
  ['a byte order mark', (text) => Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(text)])],
  ['a second document after the first', (text) => Buffer.from(`${text}{"pcm":0}`)],
];

const raw = (desk: Desk): Promise<void> =>
  times(EDITS.length, async (n) => {
    const [how, edit] = EDITS[n]!;
    const { scene, sent } = await approvedRefund(desk);
    const bytes = edit(sent.bytes.text);
    const isText = Buffer.from(bytes.toString()).equals(bytes);
    const told = isText ? { text: bytes.toString() } : { base64: bytes.toString('base64') };
    desk.add('L16', { part: 'raw', how: `after it was signed: ${how}`, lie: true, scene, bytes: told, ts: sent.ts });
  });

/** What the resolver of this machine makes of a name, without asking the network. */
const resolved = (spelled: string): Promise<string | null> =>
  /^[0-9a-fx.]+$/.test(spelled)
    ? lookup(spelled).then(
        ({ address }) => address,
        () => null,
      )
    : Promise.resolve(null);

const spelled = async (desk: Desk): Promise<void> => {
  for (const { as, spelled: written, claimed } of SPELLINGS) {
    const scene = await desk.begin();
    const cited =
      as === 'effect'
        ? await scene.observed({ kind: 'net', host: written, port: 443, connections: 1 })
        : await scene.told('WebFetch', { url: written });
    desk.acts.push({ did: 'spelled', run: scene.run.id, as, spelled: written, at: cited.seqs.at(-1)! });
    const sent = await scene.send('report', { task: 't-9' }, { claims: [host(claimed, await scene.evidence(cited))] });
    const how = `the record names the host as ${JSON.stringify(written)}`;
    desk.add('L16', {
      part: 'spellings',
      how,
      lie: true,
      scene,
      bytes: sent.bytes,
      ts: sent.ts,
      resolver: await resolved(written),
    });
  }
  for (const { written, claimed, why } of PATHS) {
    const scene = await desk.begin();
    const cited = await scene.wrote(scene.path(written), 'here\n');
    const path = /^[A-Z]:/.test(claimed) ? claimed : scene.path('.') + `/${claimed}`;
    const how = `a file of another name is claimed: ${why}`;
    await tell(desk, 'L16', {
      part: 'spellings',
      how,
      scene,
      claims: [file(path, 'here\n', await scene.evidence(cited))],
    });
  }
};

/** L16: encodings that readers read apart. */
export const encodings = async (desk: Desk): Promise<void> => {
  await raw(desk);
  await spelled(desk);
};
