import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AccessReader } from '../../kernel/access-reader';
import { invariant } from '../../kernel/invariant';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { ReadModels } from '../../kernel/ports/read-models';
import { isId } from '../../vocabulary/ids';
import type { Mode } from '../../vocabulary/modes';
import type { BrandLogos } from '../../modules/checkout/brand-logos';
import { isPaused } from '../../modules/merchants/merchants.read-model';
import { settingsAsked, settingsOf } from '../../modules/merchants/merchant-settings.read-model';
import { standingOf } from '../../modules/payment-links/payment-link.decider';
import type { LinkFacts } from '../../modules/payment-links/payment-link.events';
import { paymentLinksReadModel, type PaymentLinkDocument } from '../../modules/payment-links/payment-links.read-model';
import { GetPayLink } from '../../modules/payment-links/queries/get-pay-link.query';
import type { PayLinkView } from '../../modules/payment-links/queries/pay-link-view';

type PayLinksParts = {
  readonly modes: readonly Mode[];
  readonly readModels: Pick<ReadModels, 'get'>;
  readonly access: AccessReader;
  readonly logos: Pick<BrandLogos, 'digestOf'>;
  readonly clock: Pick<MerchantClocks, 'merchantNow'>;
  /** A link's page is `{payUrl}/{id}`. */
  readonly payUrl: string;
};

/** Links as customers see them. A customer has no key: the id, which nobody can guess, opens a link. */
export class PayLinks {
  constructor(private readonly parts: PayLinksParts) {}

  /** Null for an unknown id, and for a text that is no id. */
  async view(id: string): Promise<PayLinkView | null> {
    const found = await this.found(id);
    if (found === null) return null;
    const { mode, body } = found;
    const { merchant_id: merchantId, link } = body;
    const { access, clock, logos, payUrl } = this.parts;
    const [[merchant, own], nowMs] = await Promise.all([
      access.read(settingsAsked(mode, merchantId)),
      clock.merchantNow(mode, merchantId),
    ]);
    invariant(merchant !== null, `the merchant of ${id} is unknown`);
    const { brand, enabled_tokens, default_success_url } = settingsOf(merchant.body, own?.body);
    const logo = brand.logo_url && (await logos.digestOf(mode, merchantId, brand.logo_url));
    return {
      id,
      mode,
      merchantId,
      settings: {
        enabledTokens: enabled_tokens,
        defaultSuccessUrl: default_success_url,
        isPaused: isPaused(merchant.body, mode, nowMs),
      },
      standing: standingOf(link, nowMs),
      shop: { name: brand.name ?? merchant.body.name, color: brand.color, logo },
      link: publicPart(link),
      url: `${payUrl}/${id}`,
      nowMs,
    };
  }

  /** The id has no mode in it, so that each mode is asked. */
  private async found(id: string): Promise<{ readonly mode: Mode; readonly body: PaymentLinkDocument } | null> {
    if (!isId('plink', id)) return null;
    for (const mode of this.parts.modes) {
      const document = await this.parts.readModels.get(paymentLinksReadModel, mode, id);
      if (document?.body.mode === mode) return { mode, body: document.body };
    }
    return null;
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
