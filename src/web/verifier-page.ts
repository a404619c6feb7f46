import { neutralise } from '../base/terminal.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { quoted } from '../report/html/evidence-text.ts';
import { el, type PageElement } from '../report/html/node.ts';
import { carriedBy } from './carried.ts';
import { button, byId, put } from './document.ts';
import {
  filesOf,
  type Given,
  lacking,
  NOTHING,
  PLACE_NAMES,
  PLACES,
  type Place,
  placeOf,
  withCarried,
  withFile,
} from './given.ts';
import { followRecordLinks } from './records.ts';
import { show, whileSaying } from './shown.ts';
import { WHOLE } from './verification.ts';

const NOT_GIVEN = { needed: 'not given yet', one: 'none', many: 'none' } as const;

const row = (place: Place, files: Given[Place]): PageElement => {
  const { name, need } = PLACES[place];
  const told = files.map(({ name: file, by }) =>
    el('p', {}, quoted(file), by === null ? null : [', carried by ', quoted(by)]),
  );
  return el(
    'div',
    {},
    el('dt', {}, name, need === 'needed' ? null : el('span', { class: 'kind' }, 'optional')),
    el(
      'dd',
      {},
      told.length === 0 ? NOT_GIVEN[need] : told,
      el('input', {
        type: 'file',
        id: `file-${place}`,
        multiple: need === 'many',
        'aria-label': `Choose the ${name.toLowerCase()}`,
      }),
      el('div', { id: `remove-${place}` }),
    ),
  );
};

/** The verifier page: files are given in any order, each by its own place or all at once. */
export const startVerifierPage = (): void => {
  followRecordLinks();
  let given = NOTHING;
  put('desk', [
    el(
      'div',
      { class: 'drop', id: 'drop' },
      el('label', { for: 'any' }, 'Drop files here, or choose them'),
      el('input', { type: 'file', id: 'any', multiple: true }),
    ),
    el('dl', { id: 'given' }),
    el('label', { for: 'incident' }, 'Incident you ask about, if you know it'),
    el('input', { type: 'text', id: 'incident', spellcheck: 'false', autocomplete: 'off' }),
    el('div', { id: 'buttons' }),
    el('p', { id: 'said', role: 'status' }),
    el('div', { id: 'after' }),
  ]);
  const incident = byId('incident') as HTMLInputElement;
  const check = button('Verify', () =>
    whileSaying('Verifying in this browser …', () => lacking(given) ?? show(filesOf(given, incident.value), WHOLE)),
  );
  byId('buttons').append(check);

  const tell = (): void => {
    put(
      'given',
      PLACE_NAMES.map((place) => row(place, given[place])),
    );
    for (const place of PLACE_NAMES) {
      listen(byId(`file-${place}`) as HTMLInputElement, place);
      if (PLACES[place].need === 'needed' || given[place].length === 0) continue;
      const remove = button(`Remove the ${PLACES[place].name.toLowerCase()}`, () => {
        given = { ...given, [place]: [] };
        tell();
      });
      byId(`remove-${place}`).append(remove);
    }
    check.disabled = PLACE_NAMES.some((place) => PLACES[place].need === 'needed' && given[place].length === 0);
  };

  /** Takes what another page carries; returns what is wrong with it, or null. */
  const takePage = (name: string, bytes: Uint8Array): string | null => {
    const carried = carriedBy(decodeUtf8(bytes) ?? '');
    if (!carried.ok) return `No evidence was taken from ${name}. ${carried.why}`;
    given = withCarried(given, name, carried.evidence, carried.beside);
    incident.value = carried.beside.expectedIncident ?? '';
    return null;
  };

  const take = async (files: readonly File[], as: Place | null): Promise<void> => {
    const unknown: string[] = [];
    const faults: string[] = [];
    for (const file of files) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const place = as ?? placeOf(bytes);
      if (place !== null) given = withFile(given, place, { name: file.name, bytes, by: null });
      else if (/\.html?$/i.test(file.name)) faults.push(takePage(file.name, bytes) ?? '');
      else unknown.push(file.name);
    }
    tell();
    if (unknown.length > 0)
      faults.push(
        `Not recognised: ${unknown.join(', ')}. Choose the file at its own place, and the verifier says what is wrong with it.`,
      );
    byId('said').textContent = neutralise(faults.join(' ').trim());
  };

  const listen = (input: HTMLInputElement, as: Place | null): void =>
    input.addEventListener('change', () => void take([...(input.files ?? [])], as));

  listen(byId('any') as HTMLInputElement, null);
  // Dropped beside the place, a file would be opened instead of the page.
  for (const name of ['dragover', 'drop']) addEventListener(name, (event) => event.preventDefault());
  addEventListener('drop', (event) => void take([...(event.dataTransfer?.files ?? [])], null));
  addEventListener('dragover', () => byId('drop').classList.add('over-it'));
  for (const name of ['dragleave', 'drop']) addEventListener(name, () => byId('drop').classList.remove('over-it'));
  tell();
};
