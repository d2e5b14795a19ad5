/** Mails that a merchant can do without. All others tell of rights, of fees, or of payments that were undone. */
export const OPTIONAL_MAILS = ['transfer_queued', 'payment_inferred', 'invoice_paid_again'] as const;
export type OptionalMail = (typeof OPTIONAL_MAILS)[number];

/** Each change tells all kinds of mail that the merchant does not want in the mode. */
export type NotificationsSet = {
  readonly type: 'NotificationsSet';
  readonly data: { readonly muted: readonly OptionalMail[] };
};
