import { existsSync } from 'node:fs';
import { EnvironmentFault } from '../../store/fault.ts';
import type { ActionConfig } from '../config-shape.ts';
import type { Action } from './action.ts';
import { httpAction } from './http.ts';
import { shellAction } from './shell.ts';
import { writeAction } from './write.ts';

const actionOf = (config: ActionConfig): Action => {
  if (config.does === 'shell') {
    if (config.run_as !== 'signer' && process.getuid?.() !== 0)
      throw new EnvironmentFault(
        `the action ${config.name} runs as another user (run_as), which takes a signer of root's`,
      );
    return shellAction(config);
  }
  if (config.does === 'http') return httpAction(config);
  if (!existsSync('/proc/self/fd'))
    throw new EnvironmentFault(
      `the action ${config.name} writes files, which needs /proc: without it a link could lead out of ${config.root}`,
    );
  return writeAction(config);
};

/** Takes the actions of a configuration; returns what does them, by name. */
export const actionsOf = (configs: readonly ActionConfig[]): ReadonlyMap<string, Action> =>
  new Map(configs.map((config) => [config.name, actionOf(config)]));
