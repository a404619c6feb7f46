import type { Crypto } from '../base/crypto.ts';
import type { Refusal } from '../base/result.ts';
import type { Records } from '../evidence/bundle.ts';
import type { Profile } from '../rules/profile.ts';
import { checkForeignIds } from './admissibility-ids.ts';
import { checkOrder } from './admissibility-order.ts';
import { Inadmissible } from './admissibility-refusals.ts';
import { checkTrace } from './admissibility-trace.ts';
import { checkWireText } from './admissibility-wire.ts';

/**
 * Step profile-admissibility (FORMAT.md section 8): intact records of which every refusal is returned, none when a profile can judge them. Each
 * names the record, the field and both values (RULES.md, Profile-admissibility). `unsettled`: the records whose wire text is not known yet to give nothing to refuse.
 */
export const checkAdmissibility = (
  records: Records,
  profile: Profile,
  crypto: Crypto,
  unsettled = records,
): readonly Refusal[] => {
  const refusals = new Inadmissible(records);
  checkWireText(records, unsettled, crypto, refusals);
  checkForeignIds(records, refusals);
  checkOrder(records, refusals);
  checkTrace(records, profile, refusals);
  return refusals.all();
};
