import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountContext } from '../../kernel/command-context';
import { AdjustFees, InvoiceFees, PayFeeInvoice } from '../../modules/fees/fee-billing.command';
import { FeeBilling, type LiveContext } from './fee-billing';

@CommandHandler(AdjustFees)
export class AdjustFeesHandler implements ICommandHandler<AdjustFees> {
  constructor(private readonly billing: FeeBilling) {}

  /** Throws the refusals of FeeBilling.adjust. */
  async execute({ mode, adjustment, context }: AdjustFees): Promise<void> {
    await this.billing.adjust(adjustment, { ...context, universe: mode });
  }
}

@CommandHandler(InvoiceFees)
export class InvoiceFeesHandler implements ICommandHandler<InvoiceFees> {
  constructor(private readonly billing: FeeBilling) {}

  /** Throws the refusals of FeeBilling.invoice. */
  async execute({ currency, context }: InvoiceFees): Promise<string> {
    const { id } = await this.billing.invoice(currency, live(context));
    return id;
  }
}

@CommandHandler(PayFeeInvoice)
export class PayFeeInvoiceHandler implements ICommandHandler<PayFeeInvoice> {
  constructor(private readonly billing: FeeBilling) {}

  /** Throws the refusals of FeeBilling.pay. */
  async execute({ feeInvoice, reference, context }: PayFeeInvoice): Promise<void> {
    await this.billing.pay(feeInvoice, reference, live(context));
  }
}

function live(context: AccountContext): LiveContext {
  return { ...context, universe: 'live' };
}
