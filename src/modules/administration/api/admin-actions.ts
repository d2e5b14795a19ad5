import { isFourEyes, type AdminPermission } from '../../../vocabulary/admin-roles';
import { changeAdmin, inviteAdmin } from './actions/admins';
import { resolveClaim } from './actions/namings';
import { closeCoverageHole } from './actions/coverage-holes';
import { giveUpDeferredTransfer } from './actions/deferred-transfers';
import { adjustFees, invoiceFees, payFeeInvoice } from './actions/fees';
import { blockCountries } from './actions/geo';
import { placeHold, rejectHold, releaseHold } from './actions/holds';
import { liftKillSwitch, setKillSwitch } from './actions/kill-switches';
import { approveKybCase, rejectKybCase } from './actions/kyb-cases';
import { rebuildReadModel, replayParked } from './actions/maintenance';
import { setMerchantLimits } from './actions/merchant-limits';
import { closeMerchant, resumeMerchant, suspendMerchant } from './actions/merchants';
import { resolveReview } from './actions/reviews';
import { addSanctionsEntry, removeSanctionsEntry } from './actions/sanctions';
import { setScreeningTimeout } from './actions/screening';
import { reopenTransfer, resolveTransfer } from './actions/unmatched-transfers';
import { liftVelocityLimit, setVelocityLimit } from './actions/velocity-limits';
import type { AdminAction } from './admin-action';

/** Every action of administrators, by the name of its operation. Routes, proposals and forms come from this table. */
export const ADMIN_ACTIONS = {
  approveKybCase,
  rejectKybCase,
  placeHold,
  releaseHold,
  rejectHold,
  resolveReview,
  resolveTransfer,
  reopenTransfer,
  resolveClaim,
  suspendMerchant,
  resumeMerchant,
  closeMerchant,
  setKillSwitch,
  liftKillSwitch,
  adjustFees,
  invoiceFees,
  payFeeInvoice,
  closeCoverageHole,
  giveUpDeferredTransfer,
  replayParked,
  rebuildReadModel,
  inviteAdmin,
  changeAdmin,
  setVelocityLimit,
  liftVelocityLimit,
  blockCountries,
  setScreeningTimeout,
  addSanctionsEntry,
  removeSanctionsEntry,
  setMerchantLimits,
} as const satisfies Readonly<Record<string, AdminAction>>;

/** The action of four eyes that a proposal names; undefined where no action has the permission. */
export function proposableAction(permission: AdminPermission, target: string): AdminAction | undefined {
  const actions: readonly AdminAction[] = Object.values(ADMIN_ACTIONS);
  const named = (action: AdminAction) => action.permission === permission && action.isTarget(target);
  return isFourEyes(permission) ? actions.find(named) : undefined;
}
