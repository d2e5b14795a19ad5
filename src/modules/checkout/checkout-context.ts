import type { CommandContext, MerchantContext } from '../../kernel/command-context';
import type { Actor } from '../../kernel/event';
import type { ClockStanding } from '../../vocabulary/clock-standing';
import type { Mode } from '../../vocabulary/modes';

/** A customer has no account: the service acts for whoever has the payment's page open. */
const CHECKOUT: Actor = { role: 'checkout', type: 'system', id: 'checkout' };

/** The facts of a page's request. `now` is the time by the clock of the payment's merchant. */
type CheckoutRequest = Pick<CommandContext, 'commandId' | 'ip' | 'now' | 'isFirstTry'> & {
  readonly requestId: string;
  /** The moment of the command's first try; by default this one. */
  readonly startedAt?: number;
};

type CheckoutOwner = { readonly mode: Mode; readonly merchantId: string; readonly clock?: ClockStanding };

/** The facts for a command that a customer gives on the page of a payment, as CustomerTerms tell it. */
export function checkoutContext(
  { mode, merchantId, clock }: CheckoutOwner,
  { requestId, now, startedAt = now, ...request }: CheckoutRequest,
): MerchantContext {
  return {
    ...request,
    universe: mode,
    merchantId,
    clock,
    actor: CHECKOUT,
    now,
    startedAt,
    requestId,
    correlationId: requestId,
    causationId: null,
  };
}
