import { Command } from '@nestjs/cqrs';
import type { AccountContext } from '../../kernel/command-context';
import type { Mode } from '../../vocabulary/modes';

/** A row of a fee ledger as an operator writes it; one below zero gives fees back. */
export type Adjustment = {
  readonly currency: string;
  readonly amountMinorUnits: bigint;
  readonly paymentIntent: string | null;
  readonly memo: string;
};

/** Adds a row that corrects the merchant's fee ledger of a mode. The process that bills fees handles the command. */
export class AdjustFees extends Command<void> {
  constructor(
    readonly mode: Mode,
    readonly adjustment: Adjustment,
    readonly context: AccountContext,
  ) {
    super();
  }
}

/** Asks a merchant for all that is outstanding in a currency, in live mode. Answers the fee invoice's id. */
export class InvoiceFees extends Command<string> {
  constructor(
    readonly currency: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}

/** Records that a fee invoice of the context's merchant was paid, which ends its pause. */
export class PayFeeInvoice extends Command<void> {
  constructor(
    readonly feeInvoice: string,
    readonly reference: string,
    readonly context: AccountContext,
  ) {
    super();
  }
}
