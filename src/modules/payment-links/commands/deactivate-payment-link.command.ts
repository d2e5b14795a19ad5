import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import { isId } from '../../../vocabulary/ids';
import { paymentLinks } from '../payment-link.decider';

/** Without effect on a link that was deactivated before. */
export class DeactivatePaymentLink extends Command<void> {
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

  async execute({ link, context }: DeactivatePaymentLink): Promise<void> {
    if (!isId('plink', link)) throw refuse('resource_missing');
    await this.writes.execute(paymentLinks, link, { type: 'deactivate' }, context);
  }
}
