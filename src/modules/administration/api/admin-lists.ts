import type { AdminList } from './admin-list';
import { admins } from './lists/admins';
import { claims } from './lists/namings';
import { geo, sanctions, screening, velocityLimits } from './lists/controls';
import { feeAccounts, feeAdjustments, feeInvoices } from './lists/fees';
import { kybCases } from './lists/kyb-cases';
import { merchants } from './lists/merchants';
import { holds, reviews } from './lists/payments';
import { coverageHoles, deferredTransfers } from './lists/set-aside';
import { killSwitches } from './lists/switches';
import { unmatchedTransfers } from './lists/unmatched-transfers';

/** Every list of administrators, by the name of its rows. Routes, their document and pages come from this table. */
export const ADMIN_LISTS = {
  kybCases,
  holds,
  reviews,
  unmatchedTransfers,
  claims,
  deferredTransfers,
  coverageHoles,
  merchants,
  killSwitches,
  velocityLimits,
  geo,
  screening,
  sanctions,
  feeAccounts,
  feeAdjustments,
  feeInvoices,
  admins,
} as const satisfies Readonly<Record<string, AdminList>>;
