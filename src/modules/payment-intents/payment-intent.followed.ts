import { unheldRisks } from './payment-intent.holds';
import { isInReview } from './payment-intent.outcome';
import { lacksRemainder } from './payment-intent.settlement';
import type { PaymentIntent } from './payment-intent.state';

/**
 * Whether the network's watcher has something to follow. That is a transfer that is not final, a settlement that waits,
 * a remainder to be asked for anew, or a payer to be held. In review only the watcher looks at the payers: a process
 * can end between a screening and its hold.
 */
export function isFollowed(state: PaymentIntent): boolean {
  if (state.status === 'none' || state.quote === null) return false;
  if (state.status === 'detected' || state.status === 'confirming') return true;
  if (lacksRemainder(state) || (isInReview(state) && unheldRisks(state).length > 0)) return true;
  return hasOpenTransfer(state);
}

/** Whether a transfer of the payment is short of its depth: that transfer may yet vanish, and come again. */
export function hasOpenTransfer(state: PaymentIntent): boolean {
  if (state.status === 'none' || state.quote === null) return false;
  return Object.values(state.ledger.transfers).some(({ final }) => !final);
}

/**
 * Highest block of a transfer that counts, in any status; null where no transfer counts. A payment that is held, or
 * failed by a rejection, must not continue to show a transfer that has left the chain.
 */
export function highestCountedBlock(state: PaymentIntent): number | null {
  if (state.status === 'none' || state.quote === null) return null;
  const counted = Object.values(state.ledger.transfers).filter(({ final }) => final);
  return counted.length > 0 ? Math.max(...counted.map(({ block_number }) => block_number)) : null;
}
