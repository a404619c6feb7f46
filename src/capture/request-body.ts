/** A request body that only its consumer may read. */
export const UNREADABLE = Symbol('unreadable');

type Init = RequestInit | undefined;

/** The bytes of a request body where they can be had without touching what will be sent; null when there is none. */
export const requestBytes = (
  input: string | URL | Request,
  init: Init,
): Uint8Array | null | typeof UNREADABLE | Promise<Uint8Array | null> => {
  const body = init?.body;
  if (body === undefined || body === null) {
    if (!(input instanceof Request) || input.body === null) return null;
    return input.clone().arrayBuffer().then(asBytes);
  }
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof URLSearchParams) return Buffer.from(body.toString());
  if (body instanceof ArrayBuffer) return new Uint8Array(body.slice(0));
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof Blob) return body.arrayBuffer().then(asBytes);
  return UNREADABLE;
};

const asBytes = (buffer: ArrayBuffer): Uint8Array => new Uint8Array(buffer);
