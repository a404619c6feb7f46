import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type Ending, endingOf } from '../ending.ts';
import type { WireRecording } from '../host/wire-recording.ts';
import { rawPairs, watchIncoming } from '../http-wire.ts';
import { faultName } from '../session.ts';
import type { Attributes, CallStart } from '../wire/call.ts';

const MAX_RESOLVED = 64;

/** One request as it passes the proxy: told to the recorder step by step, each before it goes on. */
export class ProxiedCall {
  readonly #recording: WireRecording;
  readonly #key: string;
  readonly #listen: string;
  #ended: Ending | null = null;

  /** `listen`: the address of the proxy. */
  constructor(recording: WireRecording, start: CallStart, listen: string) {
    this.#recording = recording;
    this.#key = start.key;
    this.#listen = listen;
    this.attempt('begin the record of a call', () => recording.wire.call(start));
  }

  attempt(what: string, work: () => void): void {
    this.#recording.context.session.attempt(what, work);
  }

  /** The body of the request is watched as the parser pushes it. */
  asked(request: IncomingMessage): void {
    const { wire } = this.#recording;
    watchIncoming(
      request,
      (work) => this.attempt('read a request', work),
      (bytes) => wire.request(this.#key, bytes, false),
      () => wire.request(this.#key, new Uint8Array(), true),
    );
  }

  tell(attributes: Attributes): void {
    this.#recording.wire.attributes(this.#key, attributes);
  }

  /** A new socket to the target is about to connect. */
  dialling(socket: Socket): void {
    const resolved: string[] = [];
    const told = { local: null, remote: null, dialled: null, via_proxy: this.#listen };
    const seen = (connected: string | null): void =>
      this.#recording.wire.socket(this.#key, { ...told, connected, resolved: resolved.length > 0 ? resolved : null });
    seen(null);
    socket.on('lookup', (_error, address: unknown) => {
      if (typeof address === 'string' && resolved.length < MAX_RESOLVED) resolved.push(address);
    });
    socket.prependOnceListener('connect', () => seen(socket.remoteAddress ?? null));
    if (!(socket instanceof TLSSocket)) return;
    socket.prependOnceListener('secureConnect', () => {
      const fingerprint = socket.getPeerX509Certificate()?.fingerprint256;
      if (fingerprint !== undefined)
        this.tell({ tls_certificate_sha256: fingerprint.replaceAll(':', '').toLowerCase() });
    });
  }

  /** The target answers; its body is watched as the parser pushes it. `isHeld`: it is held back, and ends when what became of it was told. */
  answered(upstream: IncomingMessage, isHeld: boolean): void {
    this.#recording.wire.response(this.#key, upstream.statusCode ?? 0, [...rawPairs(upstream.rawHeaders)]);
    const close = (): void => this.end(upstream.complete ? 'complete' : 'reset', null);
    watchIncoming(
      upstream,
      (work) => this.attempt('read a response', work),
      (bytes) => this.#recording.wire.chunk(this.#key, bytes),
      isHeld ? () => {} : close,
    );
    upstream.once('error', (error) => this.failed(error));
    upstream.once('close', close);
  }

  failed(error: unknown): void {
    this.end(endingOf(error) === 'timeout' ? 'timeout' : 'reset', faultName(error));
  }

  /** What came whole from the target may still not reach the client; of anything else the first end counts. */
  end(ended: Ending, error: string | null): void {
    if (this.#ended !== null && (this.#ended !== 'complete' || ended === 'complete')) return;
    this.#ended = ended;
    this.#recording.wire.end(this.#key, ended, error);
  }
}
