import { isObject } from '../base/json-value.ts';
import { readJson } from '../base/read-json.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { BUNDLE_FORMAT } from '../evidence/bundle.ts';
import { el } from '../report/html/node.ts';
import { PROFILE_FORMAT } from '../rules/profile.ts';
import { RECEIPT_FORMAT } from '../seal/receipt.ts';
import { TRUST_FORMAT } from '../seal/trust-schema.ts';
import { type Carried, carriedBy } from './carried.ts';
import { button, byId, put } from './document.ts';
import { followRecordLinks } from './records.ts';
import { show, whileSaying } from './shown.ts';
import { type Files, WHOLE } from './verification.ts';

const ROLES = {
  bundle: { name: 'Bundle', format: BUNDLE_FORMAT },
  receipt: { name: 'Receipt', format: RECEIPT_FORMAT },
  profile: { name: 'Profile', format: PROFILE_FORMAT },
  trust: { name: 'Trust store', format: TRUST_FORMAT },
} as const satisfies Record<keyof Files, { name: string; format: string }>;
type Role = keyof typeof ROLES;
const NAMES = Object.keys(ROLES) as Role[];

/** What a file says it is; the verifier then finds out whether it is. */
const roleOf = (bytes: Uint8Array): Role | null => {
  const read = readJson(bytes, { input: 'file', recordAttributes: true });
  if (!read.ok || !isObject(read.value)) return null;
  const { format, body } = read.value;
  const stated = isObject(body) ? body.format : format;
  return NAMES.find((role) => ROLES[role].format === stated) ?? null;
};

/** The verifier page: files are given in any order, each by its own place or all at once. */
export const startVerifierPage = (): void => {
  followRecordLinks();
  const given: { [R in Role]?: { readonly name: string; readonly bytes: Uint8Array } } = {};
  put('desk', [
    el(
      'div',
      { class: 'drop', id: 'drop' },
      el('label', { for: 'any' }, 'Drop files here, or choose them'),
      el('input', { type: 'file', id: 'any', multiple: true }),
    ),
    el('dl', { id: 'given' }),
    el('div', { id: 'buttons' }),
    el('p', { id: 'said', role: 'status' }),
    el('div', { id: 'after' }),
  ]);
  const check = button('Verify', () =>
    whileSaying('Verifying in this browser …', () => {
      const bytes = Object.fromEntries(NAMES.map((role) => [role, given[role]?.bytes])) as Files;
      return show(bytes, WHOLE);
    }),
  );
  byId('buttons').append(check);

  const tell = (): void => {
    put(
      'given',
      NAMES.map((role) =>
        el(
          'div',
          {},
          el('dt', {}, ROLES[role].name),
          el(
            'dd',
            {},
            given[role]?.name ?? 'not given yet',
            el('input', {
              type: 'file',
              id: `file-${role}`,
              'aria-label': `Choose the ${ROLES[role].name.toLowerCase()}`,
            }),
          ),
        ),
      ),
    );
    for (const role of NAMES) listen(byId(`file-${role}`) as HTMLInputElement, role);
    check.disabled = NAMES.some((role) => given[role] === undefined);
  };

  const takeCarried = (name: string, carried: Carried): void => {
    for (const [role, bytes] of Object.entries(carried))
      given[role as keyof Carried] = { name: `carried by ${name}`, bytes };
  };

  const take = async (files: readonly File[], as: Role | null): Promise<void> => {
    const unknown: string[] = [];
    for (const file of files) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const role = as ?? roleOf(bytes);
      if (role !== null) given[role] = { name: file.name, bytes };
      else if (/\.html?$/i.test(file.name)) takeCarried(file.name, carriedBy(decodeUtf8(bytes) ?? ''));
      else unknown.push(file.name);
    }
    tell();
    byId('said').textContent =
      unknown.length === 0
        ? ''
        : `Not recognised: ${unknown.join(', ')}. Choose the file at its own place, and the verifier says what is wrong with it.`;
  };

  const listen = (input: HTMLInputElement, as: Role | null): void =>
    input.addEventListener('change', () => void take([...(input.files ?? [])], as));

  listen(byId('any') as HTMLInputElement, null);
  // Dropped beside the place, a file would be opened instead of the page.
  for (const name of ['dragover', 'drop']) addEventListener(name, (event) => event.preventDefault());
  addEventListener('drop', (event) => void take([...(event.dataTransfer?.files ?? [])], null));
  addEventListener('dragover', () => byId('drop').classList.add('over-it'));
  for (const name of ['dragleave', 'drop']) addEventListener(name, () => byId('drop').classList.remove('over-it'));
  tell();
};
