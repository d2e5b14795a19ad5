import type { AccessReader } from '../../kernel/access-reader';
import { invariant } from '../../kernel/invariant';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { SecretBox } from '../../kernel/ports/secret-box';
import type { ReadModels } from '../../kernel/ports/read-models';
import { isId } from '../../vocabulary/ids';
import type { Mode } from '../../vocabulary/modes';
import type { NetworkId } from '../../vocabulary/networks';
import type { BrandLogos } from '../../modules/checkout/brand-logos';
import type { CheckoutClaim, CheckoutView } from '../../modules/checkout/queries/checkout-view';
import { presentCheckout } from '../../modules/checkout/queries/present-checkout';
import { isPaused } from '../../modules/merchants/merchants.read-model';
import { settingsAsked, settingsOf } from '../../modules/merchants/merchant-settings.read-model';
import {
  paymentIntentsReadModel,
  type PaymentIntentDocument,
} from '../../modules/payment-intents/payment-intents.read-model';
import { mayHaveRestarted, restartId, restartRefusal } from '../../modules/payment-intents/payment-intent.restart';
import { paymentClaims, presentClaim } from '../../modules/payment-intents/queries/payment-claims';
import { presentPaymentIntent } from '../../modules/payment-intents/queries/payment-intent.presenter';
import { namingsReadModel } from '../../modules/transfers/namings.read-model';
import type { SelectionChecks } from '../method-selection/selection-checks';

/** A payment has no more claims than that: customers file few, and a merchant seldom one. */
const CLAIMS_LOOKED_AT = 100;

type CheckoutParts = {
  readonly modes: readonly Mode[];
  readonly readModels: ReadModels;
  readonly access: AccessReader;
  readonly checks: Pick<SelectionChecks, 'offers'>;
  readonly logos: Pick<BrandLogos, 'digestOf'>;
  readonly secretBox: Pick<SecretBox, 'deriveKey'>;
  readonly clock: Pick<MerchantClocks, 'merchantNow'>;
  readonly headNumber: (mode: Mode, network: NetworkId) => Promise<number | null>;
  readonly checkoutUrl: string;
};

type Found = { readonly mode: Mode; readonly document: PaymentIntentDocument };

/** Payments as their customers see them. A customer has no key: the id, which nobody can guess, opens a payment. */
export class CheckoutPayments {
  constructor(private readonly parts: CheckoutParts) {}

  /** Null for an unknown id, and for a text that is no id. */
  async view(id: string): Promise<CheckoutView | null> {
    const found = await this.found(id);
    if (found === null) return null;
    const { mode, document } = found;
    const { merchant_id: merchantId, network_id: network } = document;
    const { readModels, access, clock, checks, headNumber, checkoutUrl, logos } = this.parts;
    const [[merchant, own], nowMs, headOfNetwork, claims] = await Promise.all([
      access.read(settingsAsked(mode, merchantId)),
      clock.merchantNow(mode, merchantId),
      network && headNumber(mode, network),
      paymentClaims(readModels, mode, id, document),
    ]);
    invariant(merchant !== null, `the merchant of ${id} is unknown`);
    const settings = settingsOf(merchant.body, own?.body);
    const logoUrl = settings.brand.logo_url;
    const { status, terms } = document.state;
    const [logo, offers] = await Promise.all([
      logoUrl && logos.digestOf(mode, merchantId, logoUrl),
      status === 'created' ? checks.offers({ mode, merchantId, terms }) : [],
    ]);
    const context = { checkoutUrl, headNumber: headOfNetwork, nowMs, claims };
    const resource = presentPaymentIntent(id, document, context);
    const restartedAs = await this.restartedAs(id, found);
    const isRestartable = restartedAs === null && restartRefusal(document.state) === null;
    const isAllowed = settings.checkout_restart && !isPaused(merchant.body, mode, nowMs);
    const restart = { restartedAs, mayRestart: isAllowed && isRestartable };
    return presentCheckout(document, resource, { merchant: merchant.body, settings, logo, nowMs, offers, ...restart });
  }

  /** Null for a claim of another payment, for an unknown one, and for texts that are no ids. */
  async claim(id: string, claim: string): Promise<CheckoutClaim | null> {
    const found = isId('tc', claim) ? await this.found(id) : null;
    if (found === null) return null;
    const { readModels } = this.parts;
    const equals = { mode: found.mode, payment_intent: id };
    const query = { index: 'by_payment_time', equals, descending: true, limit: CLAIMS_LOOKED_AT };
    const listed = (await readModels.list(namingsReadModel, query)).find(document => document.id === claim);
    if (!listed) return null;
    const newest = await readModels.freshen(namingsReadModel, found.mode, listed, listed.body.namings_id);
    return newest && presentClaim(claim, newest.body);
  }

  /** The payment that was started in the place of this one; null where there is none. */
  private async restartedAs(id: string, { mode, document }: Found): Promise<string | null> {
    if (!mayHaveRestarted(document.state)) return null;
    const { readModels, secretBox } = this.parts;
    const successor = restartId(id, await secretBox.deriveKey('ids'));
    return (await readModels.get(paymentIntentsReadModel, mode, successor)) && successor;
  }

  /** The id has no mode in it, so that each mode is asked. */
  private async found(id: string): Promise<Found | null> {
    if (!isId('pi', id)) return null;
    for (const mode of this.parts.modes) {
      const document = await this.parts.readModels.get(paymentIntentsReadModel, mode, id);
      if (document?.body.mode === mode) return { mode, document: document.body };
    }
    return null;
  }
}
