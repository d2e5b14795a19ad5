import type { Mode } from '../../vocabulary/modes';
import { refuse } from '../../vocabulary/errors';
import type { ReadModels } from '../../kernel/ports/read-models';
import { TurnsByKey } from '../../kernel/turns-by-key';
import { namingsReadModel } from '../../modules/transfers/namings.read-model';

/** Transactions that may be named for one payment at checkout, where anybody who knows its address can name one. */
const NAMINGS_LIMIT = 20;
/** Namings for one payment that a process works on, or lets wait. */
const WAITING_LIMIT = 4;
const RETRY_SECONDS = 2;

/** The bound on what is named for a payment at checkout. The namings for one payment come one after the other. */
export class CheckoutNamings {
  private readonly lines = new TurnsByKey();

  constructor(private readonly readModels: Pick<ReadModels, 'list'>) {}

  /**
   * Throws Refusal rate_limit where too many namings for the payment wait already. Throws Refusal
   * invalid_state_transition where the payment has as many namings as it may have, and none by this reference.
   */
  inTurn<T>(mode: Mode, paymentIntent: string, namingsId: string, act: () => Promise<T>): Promise<T> {
    const line = `${mode}:${paymentIntent}`;
    if (this.lines.length(line) >= WAITING_LIMIT) throw refuse('rate_limit', { retryAfterSeconds: RETRY_SECONDS });
    return this.lines.run(line, async () => {
      await this.refuseCrowd(mode, paymentIntent, namingsId);
      return act();
    });
  }

  private async refuseCrowd(mode: Mode, paymentIntent: string, namingsId: string): Promise<void> {
    const equals = { mode, payment_intent: paymentIntent };
    const query = { index: 'by_payment_time', equals, limit: NAMINGS_LIMIT };
    const filed = await this.readModels.list(namingsReadModel, query);
    if (filed.length < NAMINGS_LIMIT || filed.some(({ body }) => body.namings_id === namingsId)) return;
    const message = 'As many transactions were named for this payment as may be. Please ask the merchant.';
    throw refuse('invalid_state_transition', { param: 'tx_hash', message });
  }
}
