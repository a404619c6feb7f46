/** Loaded before every Node process of a run: writes down the host of each connection and each name that is looked up. */
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const file = process.env.CONNECTIONS_FILE;
const tell = (what, host) => appendFileSync(file, `${process.pid} ${what} ${host}\n`);
const connect = Reflect.get(net.Socket.prototype, 'connect');
net.Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  if (options?.path === undefined) tell('connect', options?.host ?? 'localhost');
  return Reflect.apply(connect, this, args);
};
const { lookup } = dns;
dns.lookup = (name, ...rest) => {
  if (net.isIP(name) === 0) tell('lookup', name);
  return lookup(name, ...rest);
};
syncBuiltinESMExports();
