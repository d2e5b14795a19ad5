import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { standingOf } from '../../modules/payment-links/payment-link.decider';
import type { LinkFacts } from '../../modules/payment-links/payment-link.events';
import { paymentLinksReadModel } from '../../modules/payment-links/payment-links.read-model';
import { GetPayLink } from '../../modules/payment-links/queries/get-pay-link.query';
import { GetPayLinkTerms } from '../../modules/payment-links/queries/get-pay-link-terms.query';
import type { PayLinkTerms, PayLinkView } from '../../modules/payment-links/queries/pay-link-view';
import type { CustomerReads } from '../customer-reads';

/** Links as customers see them. */
export class PayLinks {
  constructor(
    private readonly reads: CustomerReads,
    /** A link's page is `{payUrl}/{id}`. */
    private readonly payUrl: string,
  ) {}

  /** Null for an unknown id, and for a text that is no id. */
  async view(id: string): Promise<PayLinkView | null> {
    const found = await this.reads.find(paymentLinksReadModel, 'plink', id);
    if (found === null) return null;
    const { mode, body } = found;
    const { merchant_id: merchantId, link } = body;
    const { shop, terms } = await this.reads.shop(mode, merchantId);
    const { nowMs } = terms;
    return {
      id,
      mode,
      standing: standingOf(link, nowMs),
      shop,
      link: publicPart(link),
      url: `${this.payUrl}/${id}`,
      nowMs,
    };
  }

  /** Null for an unknown id, and for a text that is no id. */
  async terms(id: string): Promise<PayLinkTerms | null> {
    const found = await this.reads.termsOf(paymentLinksReadModel, 'plink', id);
    if (found === null) return null;
    const { currency, currency_decimals } = found.body.link;
    return { ...found.terms, link: { currency, currency_decimals } };
  }
}

function publicPart(link: LinkFacts): PayLinkView['link'] {
  const { currency, currency_decimals, description, expires_at } = link;
  const { amount_minor_units, min_minor_units, max_minor_units } = link;
  const amounts = { amount_minor_units, min_minor_units, max_minor_units };
  return { currency, currency_decimals, ...amounts, description, expires_at };
}

@QueryHandler(GetPayLink)
export class GetPayLinkHandler implements IQueryHandler<GetPayLink> {
  constructor(private readonly links: PayLinks) {}

  execute({ link }: GetPayLink): Promise<PayLinkView | null> {
    return this.links.view(link);
  }
}

@QueryHandler(GetPayLinkTerms)
export class GetPayLinkTermsHandler implements IQueryHandler<GetPayLinkTerms> {
  constructor(private readonly links: PayLinks) {}

  execute({ link }: GetPayLinkTerms): Promise<PayLinkTerms | null> {
    return this.links.terms(link);
  }
}
