export const LINK_KINDS = ['fixed', 'open'] as const;
type LinkKind = (typeof LINK_KINDS)[number];

/** A link as it stands. Amounts are digit strings. */
export type LinkFacts = {
  readonly kind: LinkKind;
  readonly currency: string;
  readonly currency_decimals: number;
  /** The price of a fixed link; null for an open one. */
  readonly amount_minor_units: string | null;
  /** The bounds of an open link, both included; null for a fixed one. */
  readonly min_minor_units: string | null;
  readonly max_minor_units: string | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Null where the account's default counts at each use. */
  readonly success_url: string | null;
  /** The greatest number of uses; null for a link without a limit. */
  readonly max_uses: number | null;
  /** ISO-8601 UTC; null for a link without an end. */
  readonly expires_at: string | null;
  readonly created_at: string;
  /** The uses so far. */
  readonly use_count: number;
  /** Null while the link is active. */
  readonly deactivated_at: string | null;
};

/** Each event tells the whole link. So the newest event is enough, however often a link is used. */
type PaymentLinkCreated = { readonly type: 'PaymentLinkCreated'; readonly data: { readonly link: LinkFacts } };

/** A use is recorded before its payment is made: all that the payment needs stands here. */
export type PaymentLinkUsed = {
  readonly type: 'PaymentLinkUsed';
  readonly data: {
    readonly link: LinkFacts;
    readonly payment_intent: string;
    readonly amount_minor_units: string;
    /** The link's own, otherwise the account's default at the use. */
    readonly success_url: string | null;
  };
};

type PaymentLinkDeactivated = {
  readonly type: 'PaymentLinkDeactivated';
  readonly data: { readonly link: LinkFacts };
};

export type PaymentLinkEvent = PaymentLinkCreated | PaymentLinkUsed | PaymentLinkDeactivated;
