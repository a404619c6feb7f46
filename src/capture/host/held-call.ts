import type { CallSocket, CallStart } from '../wire/call.ts';
import { type Decide, PendingCall } from '../wire/pending-call.ts';
import type { CallTaker } from './recordings.ts';

/** Follows one call until its request says what it is, then hands it to what is decided; no recording knows of it. */
export class HeldCall implements CallTaker {
  readonly #call: PendingCall;

  constructor(start: CallStart, decide: Decide) {
    // What cannot be decoded is no card, and its method was read as far as it could be.
    this.#call = new PendingCall(start, decide, () => {});
  }

  call(): void {}

  socket(_: string, socket: CallSocket): void {
    this.#call.socket(socket);
  }

  request(_: string, bytes: Uint8Array, last: boolean): void {
    this.#call.request(bytes, last);
  }

  response(_: string, status: number, headers: CallStart['headers']): void {
    this.#call.response(status, headers);
  }

  chunk(_: string, bytes: Uint8Array): void {
    this.#call.chunk(bytes);
  }

  end(_: string, ...how: Parameters<PendingCall['end']>): void {
    this.#call.end(...how);
  }
}
