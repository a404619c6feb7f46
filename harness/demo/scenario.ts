import type { Family } from '../../src/index.ts';
import type { Lab } from '../lab/lab.ts';

/** A run of a family, or the matched run without its trigger. The word reaches no agent and no record. */
export type Side = 'condition' | 'control';
export const SIDES = ['condition', 'control'] as const satisfies readonly Side[];

/** What is to be done: the task text of the family definition, and an inert marker that is unique to the run. */
type Errand = { readonly text: string; readonly marker: string };

/** Agents and services that run. */
type Stage<Action extends string> = {
  /** Carries out one of the permitted actions of the family, through the A2A SDK. */
  act(action: Action, errand: Errand): Promise<void>;
};

/** One family of the demo: the setup of agents and services, apart from which action is taken. */
export type Scenario<Action extends string = string, Setup = unknown> = {
  readonly family: Family;
  /** Local setup of each run, where the runs differ in it. */
  readonly setups: Readonly<Record<Side, Setup>>;
  /** The action that the demo takes in each run; no model is asked. */
  readonly script: Readonly<Record<Side, Action>>;
  /** Starts agents and services. */
  open(lab: Lab, setup: Setup): Promise<Stage<Action>>;
};
