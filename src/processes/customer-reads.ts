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
import {
  accountAsked,
  accountWithMethods,
  paymentSettingsOf,
  type Account,
  type AccountNow,
} from '../modules/merchants/read-account';

type CustomerReadsParts = {
  readonly modes: readonly Mode[];
  readonly readModels: Pick<ReadModels, 'get' | 'stored'>;
  readonly access: Pick<AccessReader, 'read'>;
  readonly logos: Pick<BrandLogos, 'digestOf'>;
  readonly clock: Pick<Clock, 'now'>;
};

/** A merchant behind a customer's page, at this moment. */
type MerchantNow = AccountNow & { readonly terms: CustomerTerms };

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
    // The id has no mode in it: the document tells it.
    const found = isId(prefix, id) ? await this.parts.readModels.get(readModel, this.parts.modes, id) : null;
    return found && { mode: found.body.mode as Mode, body: found.body };
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
    const stored = isId(prefix, id) ? await this.parts.readModels.stored(readModel, this.parts.modes, id) : null;
    if (stored === null) return null;
    const { body } = stored;
    return { body, terms: (await this.merchant(body.mode as Mode, body.merchant_id)).terms };
  }

  async shop(mode: Mode, merchantId: string): Promise<MerchantNow & { readonly shop: Shop }> {
    const merchant = await this.merchant(mode, merchantId);
    return { ...merchant, shop: await this.shopOf(mode, merchantId, merchant.account) };
  }

  /** The merchant as its customers see it. */
  async shopOf(mode: Mode, merchantId: string, { merchant, settings }: Account): Promise<Shop> {
    const { name, color, logo_url: logoUrl } = settings.brand;
    const logo = logoUrl && (await this.parts.logos.digestOf(mode, merchantId, logoUrl));
    return { name: name ?? merchant.name, color, logo };
  }

  /** In one round trip. */
  async merchant(mode: Mode, merchantId: string): Promise<MerchantNow> {
    const { access, clock } = this.parts;
    const [blocked, ...documents] = await access.read([GEO_BLOCK_ASKED, ...accountAsked(mode, merchantId, true)]);
    const account = accountWithMethods(mode, documents);
    invariant(account !== null, "the merchant of a customer's document is known");
    const nowMs = clock.now() + account.clock.aheadMs;
    return {
      account,
      nowMs,
      terms: {
        mode,
        merchantId,
        clock: account.clock,
        nowMs,
        payments: paymentSettingsOf(account, mode, nowMs),
        methods: account.methods,
        allowsRestart: account.settings.checkout_restart,
        blockedCountries: blocked?.body.blocked_countries ?? [],
      },
    };
  }
}
