import { endedCalls, type OpenedCall } from '../claims/calls.ts';
import type { Proven } from '../evidence.ts';
import { hostOfName, hostOfUrl } from '../hosts.ts';
import { TOOL_CLASSES } from '../tools.ts';

/** The executor's word for an answer: the status of it. */
const statusOf = ({ attested, result }: OpenedCall): number | null => {
  const { status } = result.data;
  return attested && typeof status === 'number' && status >= 100 && status <= 599 ? status : null;
};

const isOn = ({ tool, args: { url } }: OpenedCall, host: string): boolean => {
  const reading = TOOL_CLASSES.get(tool) === 'http' && typeof url === 'string' ? hostOfUrl(url) : null;
  return reading !== null && 'host' in reading && reading.host === host;
};

/** Takes the host of a claim; returns in words which fetch it answered, whatever it answered, or null. */
export const answeredBy = (records: readonly Proven[], claimed: string): string | null => {
  const reading = hostOfName(claimed);
  if ('untold' in reading || reading.host === null) return null;
  const call = endedCalls(records).find((one) => statusOf(one) !== null && isOn(one, reading.host));
  return call === undefined
    ? null
    : `${reading.host} answered a fetch with ${statusOf(call)}, result seq ${call.result.seq}`;
};
