import { AsyncResource } from 'node:async_hooks';

type Delivery = () => Promise<void>;

/** Messages that agents have decided to send, sent one after another: each once the exchange before it has ended. */
export class Outbox {
  readonly #waiting: Delivery[] = [];

  /** Queues a message; it is sent in the asynchronous context of the turn that decided on it. */
  put(deliver: Delivery): void {
    this.#waiting.push(AsyncResource.bind(deliver));
  }

  /** Sends until nothing waits. */
  async drain(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await next();
  }
}
