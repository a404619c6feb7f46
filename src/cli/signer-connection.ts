import { SignerClient } from '../attest/client/client.ts';
import { Refused } from '../attest/refused.ts';
import { EnvironmentFault } from '../store/fault.ts';

export type ConnectionOptions = { readonly socket?: string; readonly token?: string; readonly json?: boolean };

/** Connects to a signer as the options name it, does something there, and leaves. What the signer refuses is told as a failure of the command. */
export const atSigner = async <T>(
  { socket, token }: ConnectionOptions,
  work: (client: SignerClient) => Promise<T>,
): Promise<T> => {
  try {
    const client = await SignerClient.connect({
      ...(socket === undefined ? {} : { socket }),
      ...(token === undefined ? {} : { tokenFile: token }),
    });
    try {
      return await work(client);
    } finally {
      client.close();
    }
  } catch (error) {
    throw error instanceof Refused ? new EnvironmentFault(`the signer refuses: ${error.message}`) : error;
  }
};
