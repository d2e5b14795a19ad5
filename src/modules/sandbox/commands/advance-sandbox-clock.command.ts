import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { ClockStanding } from '../../../vocabulary/clock-standing';
import { MAX_AHEAD_MS } from '../sandbox-clock.decider';

/** In milliseconds: an advance by a time, or to a moment of the merchant's clock. */
export type ClockGoal =
  { readonly type: 'advance'; readonly byMs: number } | { readonly type: 'set'; readonly nowMs: number };

export const LONGEST_ADVANCE_MS = MAX_AHEAD_MS;

/**
 * Advances the merchant's clock of test mode, and resolves when everything due by then has happened on the local
 * chains. Answers the clock as it was advanced. Throws Refusal invalid_advance. Handled by the process that lets blocks
 * pass and sweeps.
 */
export class AdvanceSandboxClock extends Command<ClockStanding> {
  constructor(
    readonly goal: ClockGoal,
    readonly context: MerchantContext,
  ) {
    super();
  }
}
