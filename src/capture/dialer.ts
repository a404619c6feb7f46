import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import type { Fetch } from './fetch-tap.ts';

/** Sends one host to one address, so that the fixed names of an experiment reach services on loopback. */
export type DialOverride = {
  /** Lower-case name, or address without brackets, as it stands in URLs. */
  readonly host: string;
  /** The port of the URLs meant; every port when left out. */
  readonly port?: number;
  readonly to: { readonly address: string; readonly port: number };
  /** What the name stands for in the experiment: recorded as the addresses it resolved to. An address stands for itself. */
  readonly resolves_to?: readonly string[];
};

/** What was seen of one connection. */
export type Dialled = {
  readonly host: string;
  /** Null when nothing was resolved. */
  readonly resolved: readonly string[] | null;
  /** The address of the connected socket; null when it did not connect. */
  readonly connected: string | null;
  readonly override: DialOverride | null;
  /** The proxy that it went through instead. */
  readonly via_proxy?: string | null;
};

const bare = (host: string): string => host.replace(/^\[|\]$/g, '').toLowerCase();

/**
 * A dispatcher that dials by the overrides and tells what it saw of each connection: when a name was resolved, so that an
 * address that never answers is known, and when it stands or failed, before the request is sent on it.
 */
export const dialingAgent = (overrides: readonly DialOverride[], onDial?: (dialled: Dialled) => void): Agent => {
  const connect: buildConnector.connector = (options, callback) => {
    const host = bare(options.hostname);
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
    const override = overrides.find((row) => row.host === host && (row.port ?? port) === port) ?? null;
    let resolved: readonly string[] | null = isIP(host) === 0 ? (override?.resolves_to ?? null) : [host];
    const observedLookup: LookupFunction = (name, lookupOptions, done) =>
      lookup(name, { ...lookupOptions, all: true }, (error, addresses: LookupAddress[]) => {
        if (error) return done(error, '');
        resolved = addresses.map(({ address }) => address);
        onDial?.({ host, resolved, connected: null, override });
        const [first] = addresses;
        return lookupOptions.all ? done(null, addresses) : done(null, first?.address ?? '', first?.family);
      });
    const connector = buildConnector({ lookup: observedLookup });
    const dialled = override
      ? {
          ...options,
          hostname: override.to.address,
          host: override.to.address,
          port: String(override.to.port),
          servername: options.servername ?? host,
        }
      : options;
    connector(dialled, (...result) => {
      onDial?.({ host, resolved, connected: result[1]?.remoteAddress ?? null, override });
      callback(...result);
    });
  };
  return new Agent({ connect });
};

export type Dialer = { readonly fetch: Fetch; close(): Promise<void> };

/** A fetch for the clients of the SDK that dials by the overrides; close it when no request will follow. */
export const createDialer = (overrides: readonly DialOverride[]): Dialer => {
  const dispatcher = dialingAgent(overrides);
  return { fetch: fetchThrough(dispatcher), close: () => dispatcher.close() };
};

/** The fetch of undici, which alone knows the dispatchers of this version of undici. */
export const fetchThrough = (dispatcher: Agent): Fetch =>
  ((input: string | URL, init?: object) => undiciFetch(input, { ...init, dispatcher })) as unknown as Fetch;
