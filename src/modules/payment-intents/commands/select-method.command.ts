import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';

/** Handled by the process that reserves the amount, since that spans streams. */
export class SelectMethod extends Command<void> {
  constructor(
    readonly paymentIntent: string,
    readonly tokenId: string,
    readonly walletId: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}
