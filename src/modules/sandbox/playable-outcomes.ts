import type { SandboxOutcome } from '../../vocabulary/sandbox-outcomes';
import type { Status } from '../payment-intents/payment-intent.transitions';

/** The statuses in which an outcome can be played. An outcome that is not named is played in any. */
const STATUSES_OF: Readonly<Partial<Record<SandboxOutcome, readonly Status[]>>> = {
  late: ['awaiting_payment', 'expired'],
  reorged: ['awaiting_payment'],
  reverted: ['awaiting_payment'],
};

/** Whether a customer can be played so, where the payment has that status. */
export function isPlayable(outcome: SandboxOutcome, status: Status): boolean {
  return STATUSES_OF[outcome]?.includes(status) ?? true;
}
