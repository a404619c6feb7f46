import type { Proven } from '../evidence.ts';
import { type HostReading, hostOfName, hostOfUrl, isClaimableHost } from '../hosts.ts';
import { judgeCall, openedCalls } from './calls.ts';
import { best, type ClaimRule, isOfStrings, type Judgement, proven, unproven } from './judgement.ts';

/** Compares what a record names with the claim; a record whose host cannot be told is doubt, one of another host says nothing. */
const onHost = (reading: HostReading, claimed: string, subject: string, said: () => Judgement[]): Judgement[] => {
  if ('untold' in reading) return [unproven('PCM_CLAIM_HOST_UNTOLD', `${subject} ${reading.untold}`)];
  return reading.host === claimed ? said() : [];
};

/** An effect says what an observer saw: connections that opened, or an attempt that a sensor saw (docs/PCM.md section 11). */
const judgeEffect = ({ event: { type, source, data, seq } }: Proven, claimed: string): Judgement[] => {
  if (type !== 'effect.observed' || source !== 'signer' || typeof data.host !== 'string') return [];
  const egress = data.kind === 'net';
  // What was denied reached nothing, and was not even an attempt that may have succeeded.
  if (!egress && (data.kind !== 'connect' || data.denied === true)) return [];
  return onHost(hostOfName(data.host), claimed, `the host of the effect seq ${seq}`, () => {
    if (!egress)
      return [unproven('PCM_CLAIM_ATTEMPT', `a sensor saw the run try to connect to ${claimed} (seq ${seq})`)];
    return typeof data.connections === 'number' && data.connections > 0
      ? [proven(`a connection to ${claimed} opened, seq ${seq}`)]
      : [unproven('PCM_CLAIM_NO_CONNECTION', `an observer saw no connection to ${claimed} open (seq ${seq})`)];
  });
};

const judgeCalls = (records: readonly Proven[], claimed: string): Judgement[] =>
  openedCalls(records).flatMap((call) => {
    const { url } = call.args;
    if (typeof url !== 'string') return [];
    return onHost(hostOfUrl(url), claimed, `the URL of the call with result seq ${call.result.seq}`, () => [
      judgeCall(call, 'http', `a fetch from ${claimed}`),
    ]);
  });

/** `reached_host {host}`: a connection to this host opened, or it answered a fetch (docs/PCM.md section 11). */
export const reachedHost: ClaimRule = {
  malformed: (args) => {
    if (!isOfStrings(args, 'host')) return 'its args are host alone, a string';
    return isClaimableHost(args.host as string) ? null : 'host holds another character than a-z 0-9 . _ : -';
  },
  judge: (args, records) => {
    const reading = hostOfName(args.host as string);
    if ('untold' in reading) return unproven('PCM_CLAIM_HOST_UNTOLD', `the claimed host ${reading.untold}`);
    const claimed = reading.host!;
    const said = [...records.flatMap((record) => judgeEffect(record, claimed)), ...judgeCalls(records, claimed)];
    return best(said, 'no record says that this host was reached');
  },
};
