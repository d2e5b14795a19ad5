import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { unwritten, WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import { commandId } from '../../../vocabulary/ids';
import { requireCurrency } from '../../quotes/quotable';
import { RateBook } from '../../quotes/rate-book';
import { paymentLinks, type LinkTerms } from '../payment-link.decider';

type CreatedLink = { readonly id: string; readonly history: readonly RecordedEvent[] };

/** Answers the link with its history. */
export class CreatePaymentLink extends Command<CreatedLink> {
  constructor(
    readonly terms: Omit<LinkTerms, 'currency_decimals'>,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(CreatePaymentLink)
export class CreatePaymentLinkHandler implements ICommandHandler<CreatePaymentLink> {
  constructor(
    private readonly writes: WritePath,
    private readonly rates: RateBook,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  /** A price that cannot be had at this moment is refused at a use, since the link outlives the moment. */
  async execute({ terms, context }: CreatePaymentLink): Promise<CreatedLink> {
    const currencyDecimals = requireCurrency(terms.currency);
    if (!this.rates.isListed(context.universe, terms.currency))
      throw refuse('currency_not_supported', { param: 'currency' });
    const id = commandId('plink', context.startedAt, await this.secretBox.deriveKey('ids'), context.commandId);
    const command = { type: 'create', terms: { ...terms, currency_decimals: currencyDecimals } } as const;
    const known = context.isFirstTry ? unwritten(paymentLinks) : undefined;
    const { history } = await this.writes.execute(paymentLinks, id, command, context, known);
    return { id, history };
  }
}
