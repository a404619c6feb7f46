import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/** Watches every connection that this process opens, and every name it looks up, until stopped. */
export const watchConnections = () => {
  const peers: string[] = [];
  const lookups: string[] = [];
  const connect = Reflect.get(net.Socket.prototype, 'connect') as (...args: unknown[]) => net.Socket;
  const lookup = Reflect.get(dns, 'lookup') as (...args: unknown[]) => void;
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]): net.Socket {
    const socket = Reflect.apply(connect, this, args);
    const [options] = (Array.isArray(args[0]) ? args[0] : args) as [{ host?: string; path?: string } | undefined];
    peers.push(options?.host ?? options?.path ?? 'localhost');
    return socket;
  };
  dns.lookup = ((name: string, ...rest: unknown[]) => {
    // An address is not looked up anywhere.
    if (net.isIP(name) === 0) lookups.push(name);
    Reflect.apply(lookup, dns, [name, ...rest]);
  }) as typeof dns.lookup;
  syncBuiltinESMExports();
  return {
    /** The host of each connection, as it was given to the socket. */
    peers: peers as readonly string[],
    lookups: lookups as readonly string[],
    stop: () => {
      Object.assign(net.Socket.prototype, { connect });
      Object.assign(dns, { lookup });
      syncBuiltinESMExports();
    },
  };
};
