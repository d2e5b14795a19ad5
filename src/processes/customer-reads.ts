import type { AccessReader } from '../kernel/access-reader';
import type { Clock } from '../kernel/clock';
import { invariant } from '../kernel/invariant';
import type { ReadModel, ReadModels } from '../kernel/ports/read-models';
import type { CustomerTerms } from '../vocabulary/customer-terms';
import { isId, type IdPrefix } from '../vocabulary/ids';
import type { JsonObject } from '../vocabulary/json';
import type { Mode } from '../vocabulary/modes';
import type { BrandLogos } from '../modules/checkout/brand-logos';
import type { Shop } from '../modules/checkout/queries/checkout-view';
import { GEO_BLOCK_ASKED } from '../modules/controls/geo-blocks.read-model';
import type { SettingsFacts } from '../vocabulary/settings-facts';
import { accountAsked, accountOf, methodTermsOf, paymentSettingsOf } from '../modules/merchants/read-account';

type CustomerReadsParts = {
  readonly modes: readonly Mode[];
  readonly readModels: Pick<ReadModels, 'stored' | 'freshen'>;
  readonly access: Pick<AccessReader, 'read'>;
  readonly logos: Pick<BrandLogos, 'digestOf'>;
  readonly clock: Pick<Clock, 'now'>;
};

/** A merchant behind a customer's page, at this moment. */
type MerchantNow = {
  /** The name of the account. */
  readonly name: string;
  readonly settings: SettingsFacts;
  readonly terms: CustomerTerms;
};

type OfMerchant = JsonObject & { readonly mode: string; readonly merchant_id: string };
type Found<Body extends OfMerchant> = { readonly mode: Mode; readonly body: Body };

/** Reads for customers, who have no key: an id, which nobody can guess, opens its document. */
export class CustomerReads {
  constructor(private readonly parts: CustomerReadsParts) {}

  /** Null for an unknown id, and for a text that is no id. */
  async find<Body extends OfMerchant>(
    readModel: ReadModel<Body>,
    prefix: IdPrefix,
    id: string,
  ): Promise<Found<Body> | null> {
    const stored = await this.stored(readModel, prefix, id);
    if (stored === null) return null;
    const mode = stored.body.mode as Mode;
    const newest = await this.parts.readModels.freshen(readModel, mode, stored);
    return newest && { mode, body: newest.body };
  }

  /**
   * The facts for a form about the document, which may be older than its stream. Its merchant and its mode never
   * change, and the form's command reads the stream. Null where `find` answers null.
   */
  async termsOf<Body extends OfMerchant>(
    readModel: ReadModel<Body>,
    prefix: IdPrefix,
    id: string,
  ): Promise<{ readonly body: Body; readonly terms: CustomerTerms } | null> {
    const stored = await this.stored(readModel, prefix, id);
    if (stored === null) return null;
    const { body } = stored;
    return { body, terms: (await this.merchant(body.mode as Mode, body.merchant_id)).terms };
  }

  async shop(mode: Mode, merchantId: string): Promise<MerchantNow & { readonly shop: Shop }> {
    const merchant = await this.merchant(mode, merchantId);
    const { name, color, logo_url: logoUrl } = merchant.settings.brand;
    const logo = logoUrl && (await this.parts.logos.digestOf(mode, merchantId, logoUrl));
    return { ...merchant, shop: { name: name ?? merchant.name, color, logo } };
  }

  /** The id has no mode in it: the document tells it. */
  private async stored<Body extends OfMerchant>(readModel: ReadModel<Body>, prefix: IdPrefix, id: string) {
    return isId(prefix, id) ? this.parts.readModels.stored(readModel, this.parts.modes, id) : null;
  }

  /** In one round trip. */
  private async merchant(mode: Mode, merchantId: string): Promise<MerchantNow> {
    const { access, clock } = this.parts;
    const [blocked, ...documents] = await access.read([GEO_BLOCK_ASKED, ...accountAsked(mode, merchantId, true)]);
    const account = accountOf(documents);
    invariant(account !== null, "the merchant of a customer's document is known");
    const { merchant, settings, clock: standing } = account;
    const nowMs = clock.now() + standing.aheadMs;
    return {
      name: merchant.name,
      settings,
      terms: {
        mode,
        merchantId,
        clock: standing,
        nowMs,
        payments: paymentSettingsOf(account, mode, nowMs),
        methods: methodTermsOf(mode, account, documents),
        allowsRestart: settings.checkout_restart,
        blockedCountries: blocked?.body.blocked_countries ?? [],
      },
    };
  }
}
