import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import type { PaymentSettings } from '../../../vocabulary/payment-settings';

type Opening = {
  readonly link: string;
  /** Null for a fixed link. */
  readonly amountMinorUnits: bigint | null;
  readonly settings: PaymentSettings;
};

export type OpenedPayment = { readonly id: string; readonly history: readonly RecordedEvent[] };

/** Opens a payment from a link, which counts one use. Answers the same payment however often the command is run. */
export class OpenPaymentLink extends Command<OpenedPayment> {
  constructor(
    readonly opening: Opening,
    readonly context: MerchantContext,
  ) {
    super();
  }
}
