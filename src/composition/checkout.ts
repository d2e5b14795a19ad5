import type { ImageSource } from '../kernel/ports/image-source';
import type { BrandLogos } from '../modules/checkout/brand-logos';
import { CustomerReads } from '../processes/customer-reads';
import { CheckoutPayments } from '../processes/checkout/checkout-payments';
import { LOGO_COLLECTION, StoredBrandLogos, type LogoDocument } from '../processes/checkout/stored-brand-logos';
import type { Core } from './core';
import type { Payments } from './payments';

/** The parts behind the pages of customers. */
export type Checkout = {
  readonly payments: CheckoutPayments;
  readonly reads: CustomerReads;
  readonly logos: BrandLogos;
};

export async function composeCheckout(
  { config, documents, readModels, access, secretBox, clock, log }: Core,
  { checks, frontiers }: Pick<Payments, 'checks' | 'frontiers'>,
  images: ImageSource,
): Promise<Checkout> {
  const { modes, checkoutUrl } = config;
  const logos = new StoredBrandLogos(await documents.open<LogoDocument>(LOGO_COLLECTION), images, clock, log);
  const headNumber: typeof frontiers.headOf = (...asked) => frontiers.headOf(...asked);
  const reads = new CustomerReads({ modes, readModels, access, logos, clock });
  const means = { reads, readModels, checks, secretBox, headNumber, checkoutUrl };
  return { payments: new CheckoutPayments(means), reads, logos };
}
