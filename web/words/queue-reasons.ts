import { spoken } from '../parts/status-badge';

/** Why a transfer waits for a decision. */
const REASONS: Readonly<Record<string, string>> = {
  no_reservation: 'No customer was asked for this amount at that moment.',
  credit_refused: 'The payment of this amount could not take it any more.',
  too_many_waiting: 'The payment of this amount could not be decided yet, and too many transfers waited for that.',
  given_up: 'Support has ended the wait for the payment of this amount.',
  reopened: 'Support took it back from a payment.',
};

/** A reason that is not known yet is shown by its name. */
export function queueReason(reason: string): string {
  return REASONS[reason] ?? spoken(reason);
}
