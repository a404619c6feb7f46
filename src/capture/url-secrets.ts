export const REDACTED = 'REDACTED';

/** Names of query and fragment parameters whose values are credentials, by their end or as a whole, without regard to case. */
const SECRET_ENDINGS = [
  'key',
  'token',
  'secret',
  'password',
  'passwd',
  'signature',
  'credential',
  'credentials',
  'jwt',
];
const SECRET_NAMES = new Set(['sig', 'pwd', 'auth', 'authorization', 'sid', 'session', 'sessionid', 'session_id']);
const MAX_AUTHORITY = 4_096;
const AUTHORITY_END = /[/?#\\\s"'<>]/;

const isSecretName = (name: string): boolean => {
  const lower = name.toLowerCase();
  return SECRET_NAMES.has(lower) || SECRET_ENDINGS.some((ending) => lower.endsWith(ending));
};

type Found = { readonly text: string; readonly secrets: readonly string[] };

const withoutUserinfo = (authority: string, secrets: string[]): string => {
  // A confusing authority (`a@b@host`, a backslash) is evidence of its own: only what stands before its first @ is replaced.
  const at = authority.indexOf('@');
  if (at <= 0) return authority;
  const userinfo = authority.slice(0, at);
  const colon = userinfo.indexOf(':');
  secrets.push(colon < 0 ? userinfo : userinfo.slice(colon + 1));
  return REDACTED + authority.slice(at);
};

/** A parameter of a URL, of a relative one too, and in HTML: bounded, and no way to match twice. */
const PARAMETER = /((?:[?#]|&(?:amp;)?)([\w.~%-]{1,64})=)([^&#\s"'<>\\]+)/g;

const withoutParameters = (text: string, secrets: string[]): string =>
  text.replace(PARAMETER, (whole, start: string, name: string, value: string) => {
    if (!isSecretName(name)) return whole;
    secrets.push(value);
    return start + REDACTED;
  });

/** Takes text that may hold URLs; returns it with userinfo and secret parameters replaced, and the values that were. */
export const withoutUrlSecrets = (text: string): Found => {
  const secrets: string[] = [];
  let out = '';
  let done = 0;
  for (let mark = text.indexOf('://'); mark >= 0; mark = text.indexOf('://', done)) {
    const start = mark + 3;
    const length = text.slice(start, start + MAX_AUTHORITY).search(AUTHORITY_END);
    const end = length < 0 ? Math.min(text.length, start + MAX_AUTHORITY) : start + length;
    out += text.slice(done, start) + withoutUserinfo(text.slice(start, end), secrets);
    done = end;
  }
  return { text: withoutParameters(out + text.slice(done), secrets), secrets };
};
