import { IndexWait } from '../processes/matching/index-wait';
import { FeeAccruing } from '../processes/fees/fee-accruing';
import { FeeBilling } from '../processes/fees/fee-billing';
import { FeesGroup } from '../processes/fees/fees-group';
import type { Core } from './core';

export type Fees = { readonly billing: FeeBilling; readonly group: FeesGroup };

/** Built for a service, and for a tool that runs beside one. */
export function composeFees(core: Core): Fees {
  const { writes, commands, readModels, access, progress, secretBox, clock } = core;
  const billing = new FeeBilling({ writes, readModels, index: new IndexWait(progress, clock), secretBox });
  return { billing, group: new FeesGroup(new FeeAccruing(commands, access), billing, commands) };
}
