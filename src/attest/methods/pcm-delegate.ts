import { Grant } from '../../pcm/grants.ts';
import { jcsHash } from '../../pcm/jcs.ts';
import { Members } from '../../pcm/shapes.ts';
import { signatureFault } from '../../pcm/signature.ts';
import type { PcmObject } from '../../pcm/value.ts';
import { pcmRun, requireNoHold, requireOpen } from '../access.ts';
import { requireNarrower } from '../caveats.ts';
import { signDocument } from '../log-key.ts';
import { forbidden, invalid } from '../refused.ts';
import { paramsOf, shapeFault } from '../shape.ts';
import type { Signer } from '../signer.ts';
import type { Run } from '../state.ts';
import { ChildTerms } from './grant-terms.ts';
import type { Method } from './method.ts';
import { RunId, RunTokenText } from './params.ts';

/** The parent as this signer issued it, to this run's agent. */
const issuedTo = ({ verifier, signing, crypto }: Signer, run: Run, parent: PcmObject): Grant => {
  const fault = shapeFault(Grant, parent);
  if (fault !== null) throw invalid(`/parent${fault.at}: ${fault.detail}`);
  const grant = parent as unknown as Grant;
  if (grant.sig.key !== signing.ref || signatureFault(parent, grant.sig.sig, 'grant', verifier, crypto) !== null)
    throw forbidden('this signer did not issue this grant: only what it signed is passed on');
  if (grant.subject !== run.agent)
    throw forbidden(`this grant is ${grant.subject}'s: only its subject passes it on, and this run is ${run.agent}'s`);
  if (grant.issuer.tenant !== run.tenant)
    throw forbidden(`this grant was issued in the tenant ${grant.issuer.tenant}, and this run is of ${run.tenant}`);
  if (!grant.delegable) throw forbidden("this grant can't be passed on");
  return grant;
};

const requireExpiry = (expiresAt: string, now: string, parent: Grant): void => {
  if (expiresAt <= now) throw invalid(`expires_at ${expiresAt} is past (it is ${now})`);
  if (expiresAt > parent.expires_at)
    throw invalid(`expires_at ${expiresAt} is after the parent's, ${parent.expires_at}: a child only narrows`);
};

const Delegate = ChildTerms.extend({ run: RunId, run_token: RunTokenText, parent: Members });
/** Signs a narrower child of a grant that this signer issued to the run's agent: no person is asked again. */
export const pcmDelegate: Method = {
  counts: true,
  call: async (signer, caller, params) => {
    const { run: id, run_token, parent: given, ...terms } = paramsOf(Delegate, params);
    const run = pcmRun(signer, caller, id, run_token);
    requireNoHold(run);
    requireOpen(run);
    const parent = issuedTo(signer, run, given);
    const ts = signer.book.now();
    requireExpiry(terms.expires_at, ts, parent);
    requireNarrower(terms.caveats, parent.caveats);
    const issuer = { kind: 'agent', id: run.agent, run: run.id, tenant: run.tenant };
    const hash = jcsHash(given, signer.crypto);
    const child = { ...terms, pcm_grant: 0, ts, issuer, intent: parent.intent, parent: hash };
    const grant = signDocument(child, 'grant', signer.signing);
    const data = {
      name: 'pcm.grant',
      grant: jcsHash(grant, signer.crypto),
      parent: hash,
      subject: terms.subject,
      intent: parent.intent,
    };
    await signer.book.record(run, { type: 'ext', source: 'signer', data });
    return { grant };
  },
};
