import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RecordedEvent } from '../../kernel/event';
import { WritePath } from '../../kernel/write-path';
import { SendInvoice } from '../../modules/invoices/commands/send-invoice.command';
import { invoices } from '../../modules/invoices/invoice.decider';
import { CustomerMailQuota } from '../notices/customer-mail-quota';

/** Throws Refusal rate_limit where the account has mailed its customers as often as it may on a day. */
@CommandHandler(SendInvoice)
export class SendInvoiceHandler implements ICommandHandler<SendInvoice> {
  constructor(
    private readonly writes: WritePath,
    private readonly quota: CustomerMailQuota,
  ) {}

  async execute({ invoice, context }: SendInvoice): Promise<readonly RecordedEvent[]> {
    const { history } = await this.writes.executePlan(
      invoices,
      invoice,
      (_, waitSeconds: number | null) => ({ command: { type: 'send', waitSeconds } as const, context }),
      context,
      { readsFirst: true, find: () => this.quota.waitSeconds(context.universe, context.merchantId) },
    );
    return history;
  }
}
