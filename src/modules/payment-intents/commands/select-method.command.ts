import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import type { MethodTerms } from '../../../vocabulary/method-terms';

/** Handled by the process that reserves the amount, since that spans streams. Answers the payment's history. */
export class SelectMethod extends Command<readonly RecordedEvent[]> {
  constructor(
    readonly paymentIntent: string,
    readonly tokenId: string,
    /** Null stands for the wallet that the token's route names, because customers choose no wallet. */
    readonly walletId: string | null,
    readonly terms: MethodTerms,
    readonly context: MerchantContext,
  ) {
    super();
  }
}
