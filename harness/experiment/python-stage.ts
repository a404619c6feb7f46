import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentCard } from '@a2a-js/sdk';
import { EnvironmentFault } from '../../src/index.ts';
import { packageRoot } from '../documents.ts';
import { type AgentIdentity, TRUSTED } from '../lab/cards.ts';
import { AGENTS, ROUND } from './places/agents.ts';
import { JS_STAGE, type Stage } from './stage.ts';
import { type PlaceName, type Player, startPlayer, startTroupe, type Troupe } from './troupe.ts';

/** The text under which an agent of the Python SDK serves its card: that of the others, but offering A2A 0.3. */
export const legacyCardText = ({ card }: AgentIdentity): string => {
  const { supportedInterfaces, ...rest } = AgentCard.toJSON(card) as { supportedInterfaces: object[] };
  const offered = supportedInterfaces.map((one) => ({ ...one, protocolVersion: '0.3' }));
  return JSON.stringify({ ...rest, supportedInterfaces: offered });
};

const startAgent = (identity: AgentIdentity): Player => {
  const python = join(packageRoot(), '.venv', 'bin', 'python');
  const program = join(packageRoot(), 'harness', 'experiment', 'python', 'agent.py');
  if (!existsSync(python) || !existsSync(program)) {
    throw new EnvironmentFault('agents of the Python SDK need a checkout of the repository, and its .venv', [
      'In the checkout: npx tsx scripts/setup-python.ts',
    ]);
  }
  const { agent, host } = ROUND[(ROUND.indexOf(identity) + 1) % ROUND.length]!;
  const player = startPlayer(identity.agent, python, ['-B', program, identity.agent]);
  const more = { card: legacyCardText(identity), next: { agent, host } };
  return { ...player, open: (surroundings) => player.ask('open', { ...surroundings, ...more }) };
};

const start = (): Troupe => {
  const agents = AGENTS.map((identity) => [identity.agent as PlaceName, startAgent(identity)] as const);
  return { ...startTroupe(agents.map(([name]) => name)), ...Object.fromEntries(agents) };
};

/** Agents of the Python SDK 1.1.0, that of the paper, asked through `message/send` of A2A 0.3; services, renderer and queue are those of the other stage. */
export const PYTHON_STAGE: Stage = {
  sdk: { path: 'a2a-python 0.3 message/send', client: JS_STAGE.sdk.client, server: 'a2a-sdk 1.1.0 (Python)' },
  protocol: { version: '0.3', trustedCards: TRUSTED.map(legacyCardText) },
  profile: 'experiment-v03.json',
  start,
};
