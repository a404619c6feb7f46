import type { Crypto } from '../base/crypto.ts';
import type { Refusal } from '../base/result.ts';
import type { Records } from '../evidence/bundle.ts';
import type { Profile } from '../rules/profile.ts';
import { checkForeignIds, idsOf, type KnownIds } from './admissibility-ids.ts';
import { checkOrder } from './admissibility-order.ts';
import { Inadmissible } from './admissibility-refusals.ts';
import { checkTrace } from './admissibility-trace.ts';
import { checkWireText } from './admissibility-wire.ts';
import type { KnownOrder } from './quick-order.ts';

/** What was found on the way to here. */
export type Known = {
  /** The records whose wire text is not known yet to give nothing to refuse. */
  readonly unsettled: Records;
  readonly ids: KnownIds;
  readonly order: KnownOrder;
};

/**
 * Step profile-admissibility (FORMAT.md section 8): intact records of which every refusal is returned, none when a profile can judge them. Each
 * names the record, the field and both values (RULES.md, Profile-admissibility).
 */
export const checkAdmissibility = (
  records: Records,
  profile: Profile,
  crypto: Crypto,
  known?: Known,
): readonly Refusal[] => {
  const refusals = new Inadmissible(records);
  checkWireText(records, known?.unsettled ?? records, crypto, refusals);
  const ids = known?.ids ?? idsOf(records);
  checkForeignIds(records, refusals, ids);
  checkOrder(records, refusals, ids);
  checkTrace(records, profile, refusals, known?.order);
  return refusals.all();
};
