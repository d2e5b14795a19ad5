import { checkMetadata } from '../../../kernel/metadata';
import { canonicalTimestamp } from '../../../kernel/timestamp';
import { CUSTOMER_LANGUAGES, type CustomerLanguage } from '../../../vocabulary/customer-languages';
import { refuse } from '../../../vocabulary/errors';
import { Part, Parts } from '../../../platform/http/fields/part-fields';
import { CurrencyCode, OneOf, Text, Timestamp } from '../../../platform/http/fields/text-fields';
import { Amount, Metadata, NotTaken, Whole } from '../../../platform/http/fields/value-fields';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  arrayOf,
  constant,
  digits,
  flag,
  id,
  listOf,
  METADATA,
  MODE,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  url,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import type { SettingsFacts } from '../../../vocabulary/settings-facts';
import { checkedEmail, MAX_EMAIL_LENGTH } from '../../users/registration';
import { DESCRIPTION } from '../../payment-intents/payment-intent.commands';
import { requireCurrency } from '../../quotes/quotable';
import { figuresOfAmount, figuresOfLines, MAX_LINES, MAX_QUANTITY, WHOLE_BPS } from '../invoice-figures';
import type { InvoiceDraft, InvoiceFigures } from '../invoice.events';
import { INVOICE_STATUSES } from '../invoice.state';

const TEXT_LENGTH = 200;
const NOTES_LENGTH = 2_000;
/** Due dates from this year to the year before that one: reminders lie before and after them. */
const DUE_YEARS = { from: '2000', before: '3000' };

class InvoiceLineDto {
  @Text({ isWritten: true, isOneLine: true, max: TEXT_LENGTH, example: 'Green tea, 100 g' })
  description!: string;

  @Whole({ min: 1, max: MAX_QUANTITY, example: 2 })
  quantity!: number;

  @Amount('Of one unit: whole minor units of `currency`, as an integer or a string of digits', '1250')
  unit_amount!: string;

  @Whole({ presence: 'optional', min: 0, max: WHOLE_BPS, code: 'invalid_bps', description: '100 are 1%' })
  discount_bps?: number;

  @Whole({
    presence: 'optional',
    min: 0,
    max: WHOLE_BPS,
    code: 'invalid_bps',
    description: 'On the subtotal less the discount; 1900 are 19%',
  })
  tax_bps?: number;
}

class CustomerDto {
  @Text({ isWritten: true, isOneLine: true, max: TEXT_LENGTH, example: 'Ada Byron' })
  name!: string;

  @Text({
    presence: 'nullable',
    later: { maxLength: MAX_EMAIL_LENGTH },
    description: 'Where the invoice and its reminders are mailed to',
    example: 'ada@example.com',
  })
  email?: string | null;
}

export class DraftInvoiceDto {
  @CurrencyCode()
  currency!: string;

  @NotTaken('invalid_currency_decimals', 'must be left out: ISO 4217 gives the decimals of a currency')
  currency_decimals?: undefined;

  @Parts(InvoiceLineDto, { presence: 'optional', max: MAX_LINES, description: 'Either lines or an amount' })
  lines?: InvoiceLineDto[];

  @Amount('The whole invoice, where it has no lines: whole minor units of `currency`', '2500', { presence: 'optional' })
  amount?: string;

  @Part(CustomerDto, { presence: 'optional', description: 'Left out for a customer who is not named' })
  customer?: CustomerDto;

  @Text({
    presence: 'nullable',
    ...DESCRIPTION,
    description: 'Subject of the invoice; its payments have it as well',
    example: 'Tea of November',
  })
  description?: string | null;

  @Text({
    presence: 'nullable',
    isPlain: true,
    max: NOTES_LENGTH,
    description: 'Stands below the lines',
    example: 'With thanks.',
  })
  notes?: string | null;

  @Timestamp({ presence: 'nullable', description: 'An open invoice is overdue from then on' })
  due_at?: string | null;

  @OneOf(CUSTOMER_LANGUAGES, {
    presence: 'optional',
    description: 'Of the mails to the customer; left out for `customer_language` of the settings',
  })
  language?: CustomerLanguage;

  @Metadata()
  metadata?: Record<string, unknown> | null;
}

export function checkDraft(body: DraftInvoiceDto): void {
  requireCurrency(body.currency);
  figuresOf(body);
  checkMetadata(body.metadata ?? {});
  customerOf(body);
  dueOf(body);
}

/** The draft of a body that has passed `checkDraft`. */
export function draftOf(
  body: DraftInvoiceDto,
  { reminders, time_zone, customer_language }: Pick<SettingsFacts, 'reminders' | 'time_zone' | 'customer_language'>,
): InvoiceDraft {
  return {
    currency: body.currency,
    currency_decimals: requireCurrency(body.currency),
    ...figuresOf(body),
    customer: customerOf(body),
    description: body.description ?? null,
    notes: body.notes ?? null,
    due_at: dueOf(body),
    metadata: checkMetadata(body.metadata ?? {}),
    reminders,
    time_zone,
    language: body.language ?? customer_language,
  };
}

function figuresOf({ lines, amount }: DraftInvoiceDto): InvoiceFigures {
  if (lines !== undefined && amount !== undefined)
    throw refuse('parameter_invalid', { param: 'amount', message: 'The amount follows from the lines: leave it out.' });
  if (amount !== undefined) return figuresOfAmount(BigInt(amount));
  if (lines === undefined) throw refuse('parameter_missing', { param: 'lines' });
  return figuresOfLines(
    lines.map(line => ({
      description: line.description,
      quantity: line.quantity,
      unitAmountMinorUnits: BigInt(line.unit_amount),
      discountBps: line.discount_bps ?? 0,
      taxBps: line.tax_bps ?? 0,
    })),
  );
}

function customerOf({ customer }: DraftInvoiceDto): InvoiceDraft['customer'] {
  if (customer === undefined) return null;
  const { name, email = null } = customer;
  return { name: name.trim(), email: email === null ? null : checkedEmail(email, 'customer.email') };
}

function dueOf({ due_at: given = null }: DraftInvoiceDto): string | null {
  if (given === null) return null;
  const due = canonicalTimestamp(given, 'due_at');
  if (due < DUE_YEARS.from || due >= DUE_YEARS.before) throw refuse('invalid_timestamp', { param: 'due_at' });
  return due;
}

const LINE = record({
  description: text(undefined, 'Green tea, 100 g'),
  quantity: whole('How many', 2, { minimum: 1, maximum: MAX_QUANTITY }),
  unit_amount: digits('Minor units for one', '1250'),
  discount_bps: whole('Discount; 100 are 1%', 0, { maximum: WHOLE_BPS }),
  tax_bps: whole('Tax on the subtotal less the discount; 100 are 1%', 1_900, { maximum: WHOLE_BPS }),
  subtotal: digits('Quantity × unit_amount', '2500'),
  discount: digits('Rounded half up to the minor unit', '0'),
  tax: digits('Rounded half up to the minor unit', '475'),
  amount: digits('Subtotal less discount, with tax', '2975'),
});

const INVOICE = resource('invoice', 'A numbered invoice, which a payment pays', {
  id: id('inv'),
  object: constant('invoice'),
  mode: MODE,
  number: text('The prefix at the draft, and the sequence with six digits or more', 'INV-000042'),
  sequence: whole("Place in the account's series of this mode, without a gap", 42, { minimum: 1 }),
  status: oneOfTexts(INVOICE_STATUSES),
  amount: digits('Sum of the lines, or the amount given: whole minor units of the currency', '2975'),
  subtotal: digits('Before discounts and taxes', '2500'),
  discount_total: digits('All discounts', '0'),
  tax_total: digits('All taxes', '475'),
  currency: text('ISO 4217', 'EUR'),
  currency_decimals: whole('The exponent of the currency', 2),
  customer: nullable(
    record({ name: text(undefined, 'Ada Byron'), email: nullable(text(undefined, 'ada@example.com')) }),
  ),
  description: nullable(text('Shown to the customer', 'Tea of November')),
  lines: arrayOf(LINE),
  notes: nullable(text('Shown to the customer', 'With thanks.')),
  due_at: nullable(timestamp()),
  language: oneOfTexts(CUSTOMER_LANGUAGES, 'Of the mails to the customer'),
  overdue: flag('Whether it is open and its due date has passed'),
  metadata: METADATA,
  payment_intent: nullable(id('pi', 'The newest payment that was made for it')),
  payment_intents: arrayOf(id('pi', 'Each payment that was made for it, the newest last')),
  hosted_url: nullable(
    url('The page for its customer; null for a draft', 'https://pay.example/invoices/inv_01kb3x5q0g7h2m9c4r8v6t1zny'),
  ),
  created: timestamp(),
  issued_at: nullable(timestamp()),
  paid_at: nullable(timestamp()),
  voided_at: nullable(timestamp()),
});

export type InvoiceResource = Answer<typeof INVOICE>;

export const INVOICE_OPERATIONS = {
  draft: {
    id: 'createInvoice',
    summary: 'Draft an invoice, which takes the next number',
    description:
      "A draft never changes: to correct one, void it and draft anew. Its number stays taken, so the account's series has no gap. Give either `lines` or an `amount`.",
    answer: INVOICE,
    refuses: [
      'amount_too_small', 'amount_too_large', 'currency_not_supported', 'invalid_bps', 'invalid_metadata_key',
      'invalid_metadata_value', 'invalid_timestamp', 'metadata_too_large',
    ], // prettier-ignore
  },
  list: {
    id: 'listInvoices',
    summary: 'List invoices, newest number first',
    answer: listOf(INVOICE),
    paged: true,
    query: { status: oneOfTexts(INVOICE_STATUSES) },
    refuses: [],
  },
  get: { id: 'getInvoice', summary: 'Retrieve an invoice', answer: INVOICE, refuses: ['resource_missing'] },
  issue: {
    id: 'issueInvoice',
    summary: 'Make the payment of an invoice',
    description:
      'Opens a draft, and mails it where its customer has an address. An open invoice gets another payment once the last one is expired, failed, canceled or rejected.',
    answer: INVOICE,
    refuses: [
      'resource_missing', 'invalid_state_transition', 'payment_already_paid', 'payment_overpaid', 'payment_underpaid',
      'amount_too_small', 'amount_too_large', 'currency_not_quotable', 'payments_paused',
    ], // prettier-ignore
  },
  void: {
    id: 'voidInvoice',
    summary: 'End an unpaid invoice; its number stays taken',
    description: 'Cancels the payment of an open invoice. Refused where money for it is under way, or has come.',
    answer: INVOICE,
    refuses: ['resource_missing', 'invalid_state_transition'],
  },
  send: {
    id: 'sendInvoice',
    summary: 'Mail an issued invoice to its customer',
    answer: INVOICE,
    refuses: ['resource_missing', 'invalid_state_transition'],
  },
} as const satisfies OperationTable;
