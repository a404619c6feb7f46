import { createHash } from 'node:crypto';
import { as } from './as.ts';
import { asrf } from './asrf.ts';
import { atsi } from './atsi.ts';
import { cc } from './cc.ts';
import { co } from './co.ts';
import { hotf } from './hotf.ts';
import { type Scenario, SIDES, type Side } from './scenario.ts';

/** One scenario to play: a family and one of its two runs. */
export type Play = { readonly name: string; readonly scenario: Scenario; readonly side: Side };

/** An opaque name for evidence files: nothing in it, nor its order, tells a condition from its control. */
const nameOf = ({ family }: Scenario, side: Side): string =>
  `${family.toLowerCase()}-${createHash('sha256').update(`demo scenario ${family} ${side}`).digest('hex').slice(0, 4)}`;

/** The twelve scenarios of the demo: condition and matched control of each family. */
export const PLAYS: readonly Play[] = [as, cc, co, hotf, asrf, atsi].flatMap((scenario) =>
  SIDES.map((side) => ({ name: nameOf(scenario, side), scenario, side })),
);
