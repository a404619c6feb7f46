import type { PcmObject } from '../pcm/value.ts';
import { EnvironmentFault } from '../store/fault.ts';
import type { Identity } from './identity.ts';
import { METHODS } from './methods/methods.ts';
import { invalid, Refused } from './refused.ts';
import type { Signer } from './signer.ts';

/**
 * Answers one call of an identity. Takes the method and its params; resolves to its result, or rejects with Refused: `unavailable` when the log cannot
 * be written. A bug rejects as it is, for whoever runs the signer to see, and tells the caller nothing.
 */
export const answer = async (
  signer: Signer,
  caller: Identity,
  method: string,
  params: PcmObject,
): Promise<PcmObject> => {
  const known = METHODS.get(method);
  if (known === undefined) throw invalid(`the signer has no call ${JSON.stringify(method)}`);
  if (known.counts) signer.quota.take(caller.id);
  try {
    return await known.call(signer, caller, params);
  } catch (error) {
    if (!(error instanceof EnvironmentFault)) throw error;
    throw new Refused(
      'unavailable',
      'the signer cannot write its log: nothing was signed; its operator must look at it',
      error,
    );
  }
};
