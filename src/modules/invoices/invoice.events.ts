import type { CustomerLanguage } from '../../vocabulary/customer-languages';

/** Figures in minor units of the invoice's currency, as digits. */
export type InvoiceLine = {
  readonly description: string;
  readonly quantity: number;
  readonly unit_amount_minor_units: string;
  readonly discount_bps: number;
  readonly tax_bps: number;
  /** The quantity times the amount of one unit. */
  readonly subtotal_minor_units: string;
  readonly discount_minor_units: string;
  readonly tax_minor_units: string;
  /** The subtotal less the discount, with the tax. */
  readonly amount_minor_units: string;
};

export type InvoiceFigures = {
  /** Empty where the amount was given as a whole. */
  readonly lines: readonly InvoiceLine[];
  readonly subtotal_minor_units: string;
  readonly discount_minor_units: string;
  readonly tax_minor_units: string;
  readonly amount_minor_units: string;
};

/** The whole invoice as its merchant drafted it. Nothing of it ever changes. */
export type InvoiceDraft = InvoiceFigures & {
  /** ISO 4217. */
  readonly currency: string;
  readonly currency_decimals: number;
  readonly customer: { readonly name: string; readonly email: string | null } | null;
  readonly description: string | null;
  readonly notes: string | null;
  readonly due_at: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Days after the due date on which the customer is reminded, ascending; below zero, before it. */
  readonly reminders: readonly number[];
  /** The zone of the IANA database in which the customer reads dates. */
  readonly time_zone: string;
  /** The language of the mails to the customer. */
  readonly language: CustomerLanguage;
};

type Numbered = {
  /** The place in the merchant's series, from 1. */
  readonly sequence: number;
  /** The prefix and the sequence, such as INV-000042. */
  readonly number: string;
  readonly draft: InvoiceDraft;
};

/** The only event of a series: a number that was not taken by a draft would be a gap. */
export type InvoiceNumberAllocated = {
  readonly type: 'InvoiceNumberAllocated';
  readonly data: Numbered & { readonly invoice: string };
};

/** The invoice as its series has it. */
export type InvoiceDrafted = { readonly type: 'InvoiceDrafted'; readonly data: Numbered };

/** Comes before the payment that it names: whoever reads the event can make that payment, once. */
export type InvoiceIssued = {
  readonly type: 'InvoiceIssued';
  readonly data: {
    readonly payment_intent: string;
    /** The page for the customer after checkout. */
    readonly success_url: string | null;
    readonly issued_at: string;
  };
};

/** The first payment that paid the invoice. */
type InvoicePaid = { readonly type: 'InvoicePaid'; readonly data: { readonly payment_intent: string } };

/** A payment that was confirmed though the invoice was paid, or void. */
type InvoicePaidAgain = {
  readonly type: 'InvoicePaidAgain';
  readonly data: { readonly payment_intent: string };
};

type InvoiceFellOverdue = { readonly type: 'InvoiceFellOverdue'; readonly data: { readonly due_at: string } };

/** The mail goes out by this event. */
export type InvoiceMailed = {
  readonly type: 'InvoiceMailed';
  readonly data: {
    readonly kind: 'issued' | 'sent' | 'reminder';
    readonly to: string;
    /** The day of a reminder, after the due date; null for other mails. */
    readonly reminder_days: number | null;
  };
};

/** The number stays taken. */
type InvoiceVoided = { readonly type: 'InvoiceVoided'; readonly data: Record<string, never> };

export type InvoiceSeriesEvent = InvoiceNumberAllocated;
export type InvoiceEvent =
  InvoiceDrafted | InvoiceIssued | InvoicePaid | InvoicePaidAgain | InvoiceFellOverdue | InvoiceMailed | InvoiceVoided;
