import { type AgentIdentity, LOOKALIKE, PLANNER, RESEARCHER, REVIEWER } from '../../lab/cards.ts';

/** The agents that hand a question round, in this order. */
export const ROUND: readonly AgentIdentity[] = [PLANNER, RESEARCHER, REVIEWER];

/** Every agent of the experiment; each is a process of its own. */
export const AGENTS: readonly AgentIdentity[] = [...ROUND, LOOKALIKE];
