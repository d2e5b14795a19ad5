import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { GroupMessage } from '../../kernel/ports/event-store';
import type { SystemCommands } from '../../kernel/system-commands';
import type { FeeInvoiced } from '../../modules/fees/fee-account.events';
import type { FeeAccruing, PaymentPaid } from './fee-accruing';
import type { FeeBilling, LiveContext } from './fee-billing';

/** The categories whose events fees follow. */
export const FEE_CATEGORIES: readonly string[] = ['payment_intent', 'fee_account', 'fee_invoice'];

/** Books the fees of paid payments, and finishes fee invoices and their payments. */
export class FeesGroup {
  private readonly commands: SystemCommands;

  constructor(
    private readonly accruing: FeeAccruing,
    private readonly billing: FeeBilling,
    commands: SystemCommands,
  ) {
    this.commands = commands.of('fees');
  }

  /** Safe for any message, in any order and as often as it comes. */
  async handle({ event }: GroupMessage): Promise<void> {
    switch (event.type) {
      case 'PaymentConfirmed':
      case 'PaymentOverpaid':
        return this.accruing.accrue(event as RecordedEvent<PaymentPaid>);
      case 'FeeInvoiced':
        await this.billing.issue(event as RecordedEvent<FeeInvoiced>, await this.contextOf(event));
        return;
      case 'FeeInvoicePaid':
        return this.billing.withdrawPause(parseStreamName(event.stream).id, await this.contextOf(event));
      default:
        return;
    }
  }

  private async contextOf(cause: RecordedEvent): Promise<LiveContext> {
    const { universe } = parseStreamName(cause.stream);
    const { merchant_id: merchantId } = cause.metadata;
    invariant(
      universe === 'live' && merchantId !== null,
      `${cause.stream} is invoiced, and of no merchant of live mode`,
    );
    return { ...(await this.commands.as('sweeper', universe, merchantId, { cause })), universe };
  }
}
