import * as z from 'zod';
import { encodeUtf8 } from '../../base/utf8.ts';
import { envelopeOf } from '../../pcm/envelope.ts';
import { jcs, jcsHash } from '../../pcm/jcs.ts';
import { PCM_LIMITS } from '../../pcm/limits.ts';
import { Members } from '../../pcm/shapes.ts';
import { readStrict } from '../../pcm/strict-json.ts';
import { isPcmObject, type PcmObject } from '../../pcm/value.ts';
import { pcmRun, requireNoHold, requireOpen } from '../access.ts';
import { newId } from '../ids.ts';
import { signDocument } from '../log-key.ts';
import { forbidden, invalid } from '../refused.ts';
import { paramsOf } from '../shape.ts';
import type { Run } from '../state.ts';
import { requireLastHead } from './head.ts';
import type { Method } from './method.ts';
import { RunId, RunTokenText } from './params.ts';

/** What the agent says; id, time, nonce and signature are the signer's. */
const BODY: readonly string[] = ['from', 'to', 'intent', 'claims', 'grants', 'payload'];

const requireOwnFrom = (from: PcmObject[string] | undefined, { agent, id, tenant }: Run): void => {
  const own =
    isPcmObject(from) &&
    Object.keys(from).length === 3 &&
    from.agent === agent &&
    from.run === id &&
    from.tenant === tenant;
  if (!own)
    throw forbidden(`the signer signs only as the calling run's own agent (${agent}, run ${id}, tenant ${tenant})`);
};

const requireBody = (body: PcmObject, run: Run): void => {
  const other = Object.keys(body).find((name) => !BODY.includes(name));
  if (other !== undefined) throw invalid(`/body/${other}: the agent gives ${BODY.join(', ')}, and the signer the rest`);
  requireOwnFrom(body.from, run);
};

/** What every receiver would refuse is not signed: a member out of shape, or text that no strict reader reads again. */
const requireReadable = (message: PcmObject): void => {
  const envelope = envelopeOf(message);
  if (!envelope.ok) throw invalid(`/body${envelope.findings[0].detail}`);
  const read = readStrict(encodeUtf8(jcs(message)), { what: 'message', maxBytes: PCM_LIMITS.messageBytes });
  if (!read.ok) throw invalid(`receivers could not read the message: ${read.findings[0].detail}`);
};

const Sign = z.strictObject({ run: RunId, run_token: RunTokenText, body: Members });
/** Signs a message as the run's own agent, and as nobody else. The log says that it was sent: its hash, to whom and of which intent; no args. */
export const pcmSign: Method = {
  counts: true,
  call: async (signer, caller, params) => {
    const { run: id, run_token, body } = paramsOf(Sign, params);
    const run = pcmRun(signer, caller, id, run_token);
    requireNoHold(run);
    requireOpen(run);
    requireBody(body, run);
    const unsigned = { ...body, pcm: 0, id: newId(), ts: signer.book.now(), nonce: newId() };
    const message = signDocument(unsigned, 'message', signer.signing);
    requireReadable(message);
    requireLastHead(message, run);
    const { to, intent } = message as { to: PcmObject; intent: PcmObject };
    const data = {
      name: 'pcm.sent',
      message: jcsHash(message, signer.crypto),
      id: unsigned.id,
      to: to.agent!,
      intent: intent.type!,
    };
    await signer.book.record(run, { type: 'ext', source: 'signer', data });
    return { message };
  },
};
