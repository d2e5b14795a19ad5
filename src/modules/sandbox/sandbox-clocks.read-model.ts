import { hasMerchantClocks } from '../../kernel/merchant-clocks';
import type { Document } from '../../kernel/ports/documents';
import type { ReadModel } from '../../kernel/ports/read-models';
import { NEVER_ADVANCED, type ClockStanding } from '../../vocabulary/clock-standing';
import type { Mode } from '../../vocabulary/modes';
import { aheadMsOf } from './sandbox-clock.events';

/** The clock of a merchant that has advanced it; the document's id is the merchant's. */
export type SandboxClockDocument = {
  readonly mode: string;
  /** The wall's moment of the last advance. */
  readonly advanced_at: string;
  /** The clock's time from then on, ticking. */
  readonly now: string;
};

export const sandboxClocksReadModel: ReadModel<SandboxClockDocument> = {
  name: 'sandbox_clocks',
  version: 1,
  indexes: { by_advanced: ['mode', 'advanced_at', 'id'] },
};

/** The document of a merchant's clock, for a reading of what can be withdrawn; null where merchants have no clocks. */
export function sandboxClockAsked(mode: Mode, merchantId: string) {
  return hasMerchantClocks(mode)
    ? ({ readModel: sandboxClocksReadModel, universe: mode, id: merchantId } as const)
    : null;
}

/** The clock of this document; null stands for a clock that was never advanced, and for the wall's. */
export function standingOf(clock: Document<SandboxClockDocument> | null): ClockStanding {
  return clock ? { aheadMs: aheadMsOf(clock.body), advancedAt: clock.body.advanced_at } : NEVER_ADVANCED;
}
