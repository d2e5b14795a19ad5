import type { ErrorCode } from '../../../vocabulary/errors';
import type { Mode } from '../../../vocabulary/modes';
import type { NetworkId } from '../../../vocabulary/networks';
import type { Asset, TokenId } from '../../../vocabulary/tokens';
import type { PaymentIntentResource } from '../../payment-intents/queries/payment-intent.answer';

/** The payment as its merchant sees it, without the merchant's own words: the metadata, and the note of a review. */
export type CheckoutPayment = Omit<PaymentIntentResource, 'metadata'>;

/** A token that the merchant's routes take, with the wallet that the payment would go to. */
export type Offer = {
  readonly tokenId: TokenId;
  readonly asset: Asset;
  readonly network: NetworkId;
  readonly networkName: string;
  readonly walletId: string;
  /** The price by the rate of this moment: the amount of a quote is a little more. Null where it cannot be selected. */
  readonly tokenAmount: string | null;
  /** The refusal that a selection of the token would meet now; null where it can be selected. */
  readonly unavailable: ErrorCode | null;
};

/** The merchant as its customers see it. */
export type Shop = {
  /** The brand's name, otherwise the merchant's. */
  readonly name: string;
  /** `#rrggbb` as the merchant has set it; `accentsOf` makes the readable accents of it. */
  readonly color: string | null;
  /** The digest under which the service has the logo; null without one, and until it is fetched. */
  readonly logo: string | null;
};

/** The payment with all that its page shows to the customer. */
export type CheckoutView = {
  readonly payment: CheckoutPayment;
  readonly mode: Mode;
  /**
   * The rounded-up price of the quote, written as `token_amount` is: the payment's own digits begin where the amount
   * differs from it. Null without a quote.
   */
  readonly priceTokenAmount: string | null;
  /** The time by the clock of the payment's merchant. */
  readonly nowMs: number;
  readonly shop: Shop;
  /** Empty unless the payment's status is `created`. */
  readonly offers: readonly Offer[];
  /** Whether the payment can be started anew at this moment, by the merchant's setting and by its status. */
  readonly mayRestart: boolean;
  /** The payment that was started in its place. */
  readonly restartedAs: string | null;
  /** The payment's own, otherwise the account's `default_success_url`. */
  readonly successUrl: string | null;
  /** Underpaid because an inferred transfer waits for the merchant's decision. */
  readonly isInferred: boolean;
  /** A hold of compliance is open. */
  readonly isHoldOpen: boolean;
  /** Its money was rejected, by compliance or in review. */
  readonly isRejected: boolean;
};

/** A transaction that was named for the payment, with what has become of it. */
export type CheckoutNaming = NonNullable<PaymentIntentResource['claims']>[number];
