import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';

/** Handled by the process that reserves the amount, since that spans streams. Answers the payment's history. */
export class SelectMethod extends Command<readonly RecordedEvent[]> {
  constructor(
    readonly paymentIntent: string,
    readonly tokenId: string,
    readonly walletId: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}
