import { cardText, TRUSTED } from '../lab/cards.ts';
import { installed } from '../lab/versions.ts';
import type { Protocol } from './desk.ts';
import type { Settings } from './model.ts';
import { startTroupe, type Troupe } from './troupe.ts';

/** Which SDK the agents of an experiment are built on, and how it is reached. */
export type Stage = {
  readonly sdk: Settings['sdk'];
  readonly protocol: Protocol;
  /** File of the verification profile that pins these agents' cards. */
  readonly profile: string;
  start(): Troupe;
};

const SDK = (({ name, version }) => `${name} ${version}`)(installed('@a2a-js/sdk'));

/** Agents of the JavaScript SDK, asked by its client: A2A 1.0. */
export const JS_STAGE: Stage = {
  sdk: { path: 'a2a-js 1.0 SendMessage', client: SDK, server: SDK },
  protocol: { version: '1.0', trustedCards: TRUSTED.map(cardText) },
  profile: 'experiment.json',
  start: startTroupe,
};
