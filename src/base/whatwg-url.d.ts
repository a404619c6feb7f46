/** The parser alone: the door of the package needs `SharedArrayBuffer`, which a page opened from a file has not. */
declare module 'whatwg-url/lib/url-state-machine.js' {
  export { parseURL, serializeHost, serializePath, serializeURL } from 'whatwg-url';
}
