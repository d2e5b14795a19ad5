import type { AccessReader } from '../kernel/access-reader';
import type { Clock } from '../kernel/clock';
import { invariant } from '../kernel/invariant';
import type { Document } from '../kernel/ports/documents';
import type { ReadModel, ReadModels } from '../kernel/ports/read-models';
import { isId, type IdPrefix } from '../vocabulary/ids';
import type { JsonObject } from '../vocabulary/json';
import type { MethodTerms } from '../vocabulary/method-terms';
import type { PaymentSettings } from '../vocabulary/payment-settings';
import type { Mode } from '../vocabulary/modes';
import type { BrandLogos } from '../modules/checkout/brand-logos';
import type { Shop } from '../modules/checkout/queries/checkout-view';
import type { SettingsFacts } from '../vocabulary/settings-facts';
import { accountAsked, accountOf, methodTermsOf, paymentSettingsOf } from '../modules/merchants/read-account';
import { aheadMsOf } from '../modules/sandbox/sandbox-clock.events';
import { sandboxClockAsked } from '../modules/sandbox/sandbox-clocks.read-model';

type CustomerReadsParts = {
  readonly modes: readonly Mode[];
  readonly readModels: Pick<ReadModels, 'get'>;
  readonly access: Pick<AccessReader, 'read'>;
  readonly logos: Pick<BrandLogos, 'digestOf'>;
  readonly clock: Pick<Clock, 'now'>;
};

/** A merchant behind a customer's page, at this moment. */
type MerchantNow = {
  /** The name of the account. */
  readonly name: string;
  readonly settings: SettingsFacts;
  readonly payments: PaymentSettings;
  readonly methodTerms: MethodTerms;
  /** The time by the merchant's clock. */
  readonly nowMs: number;
};

type Found<Body extends JsonObject> = { readonly mode: Mode; readonly body: Body };

/** Reads for customers, who have no key: an id, which nobody can guess, opens its document. */
export class CustomerReads {
  constructor(private readonly parts: CustomerReadsParts) {}

  /** The id has no mode in it, so that each mode is asked. Null for an unknown id, and for a text that is no id. */
  async find<Body extends JsonObject & { readonly mode: string }>(
    readModel: ReadModel<Body>,
    prefix: IdPrefix,
    id: string,
  ): Promise<Found<Body> | null> {
    if (!isId(prefix, id)) return null;
    for (const mode of this.parts.modes) {
      const document: Document<Body> | null = await this.parts.readModels.get(readModel, mode, id);
      if (document?.body.mode === mode) return { mode, body: document.body };
    }
    return null;
  }

  /** In one round trip. */
  async merchant(mode: Mode, merchantId: string): Promise<MerchantNow> {
    const { access, clock } = this.parts;
    const [ownClock, ...documents] = await access.read([
      sandboxClockAsked(mode, merchantId),
      ...accountAsked(mode, merchantId, true),
    ]);
    const nowMs = clock.now() + (ownClock ? aheadMsOf(ownClock.body) : 0);
    const account = accountOf(mode, documents);
    invariant(account !== null, "the merchant of a customer's document is known");
    return {
      name: account.merchant.name,
      settings: account.settings,
      payments: paymentSettingsOf(account, mode, nowMs),
      methodTerms: methodTermsOf(mode, account, documents),
      nowMs,
    };
  }

  async shop(mode: Mode, merchantId: string): Promise<MerchantNow & { readonly shop: Shop }> {
    const merchant = await this.merchant(mode, merchantId);
    const { name, color, logo_url: logoUrl } = merchant.settings.brand;
    const logo = logoUrl && (await this.parts.logos.digestOf(mode, merchantId, logoUrl));
    return { ...merchant, shop: { name: name ?? merchant.name, color, logo } };
  }
}
