import { readUrl } from '../base/url.ts';
import type { CardInterface } from '../evidence/records/discovery.ts';
import { type Binding, isAtInterface } from './detectors/uri/endpoint.ts';

const isUnspecified = (host: string): boolean => host === '0.0.0.0' || host === '[::]';
const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.');

const differsByLastSlash = (exchangeUrl: string, interfaceUrl: string, binding: Binding): boolean => {
  const url = readUrl(exchangeUrl);
  if (url === null || url.hostname === '') return false;
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : `${url.pathname}/`;
  return isAtInterface(`${url.protocol}//${url.host}${path}${url.search}`, interfaceUrl, binding);
};

const differsByUnspecifiedAddress = (exchangeUrl: string, interfaceUrl: string, binding: Binding): boolean => {
  const [url, declared] = [readUrl(exchangeUrl), readUrl(interfaceUrl)];
  if (url === null || declared === null || !isUnspecified(declared.hostname) || !isLoopback(url.hostname)) return false;
  const port = declared.port === '' ? '' : `:${declared.port}`;
  const reached = `${declared.protocol}//${url.hostname}${port}${declared.pathname}${declared.search}`;
  return isAtInterface(exchangeUrl, reached, binding);
};

const isNear = (exchangeUrl: string, interfaceUrl: string, binding: Binding): boolean =>
  differsByLastSlash(exchangeUrl, interfaceUrl, binding) ||
  differsByUnspecifiedAddress(exchangeUrl, interfaceUrl, binding);

/** Where an exchange went by the interfaces of a card; `near`: the interface that only its spelling keeps apart. */
type Placement =
  | { readonly at: 'interface' }
  | { readonly at: 'near'; readonly url: string }
  | { readonly at: 'elsewhere' };

/**
 * Takes the interfaces of a card; returns a function from URL and binding of an exchange to its place among them (RULES, AS).
 * Each is compared as the binding of the exchange asks, whatever binding the card gives it: its URL is in the card all the same.
 * The interface that matched last is asked first: a hostile card may state hundreds of thousands of them.
 */
export const placementIn = (interfaces: readonly CardInterface[]): ((url: string, binding: Binding) => Placement) => {
  const known = new Map<string, Placement>();
  let last: CardInterface | undefined;
  const find = (url: string, binding: Binding): Placement => {
    const isAt = (declared: CardInterface) => isAtInterface(url, declared.url, binding);
    if (last !== undefined && isAt(last)) return { at: 'interface' };
    const found = interfaces.find(isAt);
    last = found ?? last;
    if (found !== undefined) return { at: 'interface' };
    const near = interfaces.find((declared) => isNear(url, declared.url, binding));
    return near === undefined ? { at: 'elsewhere' } : { at: 'near', url: near.url };
  };
  return (url, binding) => {
    const key = `${binding} ${url}`;
    const placement = known.get(key) ?? find(url, binding);
    known.set(key, placement);
    return placement;
  };
};
