import type { CallSocket, CallStart } from './call.ts';
import { Recent } from './recent.ts';
import type { Routed } from './routing.ts';
import { socketKey } from './socket-key.ts';

/** A call that a process of the capture serves: what it sends meanwhile is caused by it. */
export type Served = {
  readonly agent: string;
  readonly process: string;
  readonly exchange_id: string | null;
};
/** An exchange as its client sees it; `step` when it is one from agent to agent. */
export type Sent = { readonly process: string; readonly step: Routed | null };
/** What a step follows: another step, none (`root`), or what was not seen. */
export type Before = Routed | 'root' | 'unknown';

type SentSide = Sent & { isSeenByServer: boolean };
type ServedSide = Served & { peer: SentSide | undefined };

/** Both sides of the exchanges of a capture: which process serves which agent, on whose behalf one sends, and which two views are of one exchange. */
export class Sides {
  readonly #served = new Map<string, ServedSide>();
  /** By the socket that an exchange goes over: its client's side, and a server's side that came before that was known. */
  readonly #sent = new Recent<SentSide>();
  readonly #unmatched = new Recent<ServedSide>();
  readonly #agents = new Map<string, Set<string>>();
  /** Exchanges that have not ended, by their calls. */
  readonly #open = new Map<string, SentSide>();
  #clientAlone = 0;
  #serverAlone = 0;

  /** Exchanges of which only the client's side, or only the server's, was seen. */
  get alone(): { readonly client: number; readonly server: number } {
    return { client: this.#clientAlone, server: this.#serverAlone };
  }

  serves({ key, local, remote }: CallStart, served: Served): void {
    const agents = this.#agents.get(served.process) ?? new Set();
    this.#agents.set(served.process, agents.add(served.agent));
    const side = { ...served, peer: undefined };
    this.#served.set(key, side);
    const socket = socketKey(remote, local) ?? key;
    const sent = this.#sent.get(socket);
    this.#serverAlone++;
    if (sent === undefined) this.#unmatched.set(socket, side);
    else this.#match(sent, side);
  }

  sends({ key }: CallStart, sent: Sent): void {
    this.#open.set(key, { ...sent, isSeenByServer: false });
  }

  /** The socket of a call that was sent is known. */
  connected({ key }: CallStart, { local, remote }: CallSocket): void {
    const sent = this.#open.get(key);
    const socket = socketKey(local, remote);
    if (socket === null || sent === undefined) return;
    this.#sent.set(socket, sent);
    const served = this.#unmatched.get(socket);
    this.#unmatched.delete(socket);
    if (served !== undefined) this.#match(sent, served);
  }

  ended(key: string): void {
    const sent = this.#open.get(key);
    if (sent !== undefined && !sent.isSeenByServer) this.#clientAlone++;
    this.#open.delete(key);
    this.#served.delete(key);
  }

  /** The served call that caused another; null for none, and for one that has ended. */
  causeOf(cause: string | null): Served | null {
    return cause === null ? null : (this.#served.get(cause) ?? null);
  }

  /** The only agent that a process serves. */
  onlyAgentOf(process: string): string | null {
    const agents = this.#agents.get(process);
    return agents?.size === 1 ? [...agents][0]! : null;
  }

  /** Whether a process serves any agent. */
  isServer(process: string): boolean {
    return this.#agents.has(process);
  }

  /** What a send on behalf of an agent follows. */
  before(cause: string | null, agent: string): Before {
    const served = cause === null ? undefined : this.#served.get(cause);
    if (served !== undefined) return this.#stepOf(served);
    if (cause !== null) return 'unknown';
    const hasServed = [...this.#agents.values()].some((agents) => agents.has(agent));
    return hasServed ? 'unknown' : 'root';
  }

  /**
   * The step that a served call is the other side of. Of two processes each tells what a hostile one may forge, so a chain is joined by the asynchronous
   * context within one process alone; that the sender is no agent of this trace is enough for a root.
   */
  #stepOf({ peer, process }: ServedSide): Before {
    if (peer === undefined) return this.#clientAlone > 0 ? 'unknown' : 'root';
    if (peer.step === null) return 'root';
    return peer.process === process ? peer.step : 'unknown';
  }

  #match(sent: SentSide, served: ServedSide): void {
    if (served.peer !== undefined) return;
    served.peer = sent;
    sent.isSeenByServer = true;
    this.#serverAlone--;
  }
}
