import type { AccessReader } from '../kernel/access-reader';
import type { Clock } from '../kernel/clock';
import type { VelocityCounts } from '../modules/controls/velocity-counts';
import { velocityAsked, velocityOf } from '../modules/controls/velocity-limits.read-model';
import type { QuotedPaymentIntent } from '../modules/payment-intents/payment-intent.state';
import { dollarMinorUnits } from '../modules/quotes/price';
import type { Mode } from '../vocabulary/modes';
import { TOKENS } from '../vocabulary/tokens';

/** A token counts as a dollar: a quote in one that is off its peg by more than 3% was refused. */
const PEG = '1';

/** Counts payers by their addresses, whichever merchants they pay. */
export class PayerVelocity {
  constructor(
    private readonly access: Pick<AccessReader, 'read'>,
    private readonly counts: Pick<VelocityCounts, 'isOver'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether the payer is over the limit with this payment. Each of its transfers counts once, however often it is asked
   * about, and the first one counts for the payment.
   */
  async isOver(
    { mode }: { readonly mode: Mode },
    { quote, ledger }: QuotedPaymentIntent,
    payer: string,
  ): Promise<boolean> {
    const [document] = await this.access.read([velocityAsked('payer_address')]);
    const limit = velocityOf(document?.body);
    if (limit === null) return false;
    const { decimals } = TOKENS[quote.token_id];
    const own = Object.values(ledger.transfers).filter(({ from }) => from === payer);
    let isOver = false;
    for (const [index, { transfer_id: name, value_base_units: value }] of own.entries()) {
      const amountUsdMinorUnits = dollarMinorUnits(BigInt(value), PEG, decimals);
      const counted = { name, amountUsdMinorUnits, nowMs: this.clock.now(), isFurther: index > 0 };
      isOver = await this.counts.isOver(limit, { mode, kind: 'payer_address', id: payer }, counted);
    }
    return isOver;
  }
}
