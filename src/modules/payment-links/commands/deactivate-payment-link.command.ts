import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import { isId } from '../../../vocabulary/ids';
import { paymentLinks } from '../payment-link.decider';

/** Without effect on a link that was deactivated before. Answers the link's newest events. */
export class DeactivatePaymentLink extends Command<readonly RecordedEvent[]> {
  constructor(
    readonly link: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(DeactivatePaymentLink)
export class DeactivatePaymentLinkHandler implements ICommandHandler<DeactivatePaymentLink> {
  constructor(private readonly writes: WritePath) {}

  async execute({ link, context }: DeactivatePaymentLink): Promise<readonly RecordedEvent[]> {
    if (!isId('plink', link)) throw refuse('resource_missing');
    const { history } = await this.writes.execute(paymentLinks, link, { type: 'deactivate' }, context);
    return history;
  }
}
