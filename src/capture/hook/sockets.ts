import { Socket } from 'node:net';
import type { SeenSocket } from './reporter.ts';

type Dial = { readonly host: string | null; readonly resolved: string[] };

const dials = new WeakMap<Socket, Dial>();

const hostOf = (args: readonly unknown[]): string | null => {
  // `net.connect` hands on its normalised arguments as one array.
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  if (typeof first === 'object' && first !== null) {
    const { host, path } = first as { readonly host?: unknown; readonly path?: unknown };
    if (typeof path === 'string') return null;
    return typeof host === 'string' ? host : 'localhost';
  }
  return typeof second === 'string' ? second : 'localhost';
};

/** Notes of every connecting socket which host was dialled and what its name resolved to. */
export const tapSockets = (): void => {
  const proto = Socket.prototype as { connect: (this: Socket, ...args: unknown[]) => unknown };
  const connect = proto.connect;
  proto.connect = function (...args) {
    try {
      // A socket that connects again has its listener.
      if (!dials.has(this)) {
        this.on('lookup', (_error, address: unknown) => {
          const resolved = dials.get(this)?.resolved ?? [];
          if (typeof address === 'string' && resolved.length < 64) resolved.push(address);
        });
      }
      dials.set(this, { host: hostOf(args), resolved: [] });
    } catch {
      // An address that was not noted is stated as not seen.
    }
    return Reflect.apply(connect, this, args);
  };
};

export const endOf = (address: string | undefined, port: number | undefined): string | null =>
  address === undefined || port === undefined ? null : `${address}:${port}`;

/** What is known of a connected socket. */
export const seenOf = (socket: Socket): SeenSocket => {
  const dial = dials.get(socket);
  return {
    local: endOf(socket.localAddress, socket.localPort),
    remote: endOf(socket.remoteAddress, socket.remotePort),
    connected: socket.remoteAddress ?? null,
    resolved: dial === undefined ? null : dial.resolved.length > 0 ? dial.resolved : null,
    dialled: dial?.host ?? null,
  };
};
