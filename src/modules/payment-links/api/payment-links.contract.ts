import { checkedLink, MAX_LINK_LENGTH } from '../../../kernel/links';
import { checkMetadata } from '../../../kernel/metadata';
import { canonicalTimestamp } from '../../../kernel/timestamp';
import { CurrencyCode, OneOf, Text, Timestamp, Url } from '../../../platform/http/fields/text-fields';
import { Amount, Metadata, Whole } from '../../../platform/http/fields/value-fields';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  constant,
  digits,
  flag,
  id,
  listOf,
  mapOf,
  MODE,
  nullable,
  oneOfTexts,
  resource,
  text,
  timestamp,
  url,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { refuse } from '../../../vocabulary/errors';
import { DESCRIPTION } from '../../payment-intents/payment-intent.commands';
import { PAYMENT_INTENT } from '../../payment-intents/queries/payment-intent.answer';
import type { LinkTerms } from '../payment-link.decider';
import { LINK_KINDS } from '../payment-link.events';

const MOST_USES = 1_000_000;

export class CreatePaymentLinkDto {
  @OneOf(LINK_KINDS, { description: 'Fixed: you name the amount. Open: each customer chooses one within your bounds.' })
  kind!: 'fixed' | 'open';

  @CurrencyCode()
  currency!: string;

  @Amount('For a fixed link: whole minor units of `currency`', '2500', { presence: 'nullable' })
  amount?: string | null;

  @Amount('For an open link: the least that a customer may choose', '500', { presence: 'nullable' })
  min_amount?: string | null;

  @Amount('For an open link: the most that a customer may choose', '50000', { presence: 'nullable' })
  max_amount?: string | null;

  @Text({
    presence: 'nullable',
    ...DESCRIPTION,
    description: 'Subject of the payments; shown to customers',
    example: 'A ticket for the autumn concert',
  })
  description?: string | null;

  @Metadata()
  metadata?: Record<string, unknown> | null;

  @Url({
    presence: 'nullable',
    maxLength: MAX_LINK_LENGTH,
    description: 'Where customers are sent after checkout; by default the account’s `default_success_url`',
    example: 'https://shop.example/thanks',
  })
  success_url?: string | null;

  @Whole({ presence: 'nullable', min: 1, max: MOST_USES, description: 'The greatest number of payments', example: 10 })
  max_uses?: number | null;

  @Timestamp({
    presence: 'nullable',
    description: 'The link opens no payments from then on',
    example: '2027-11-21T12:00:00.000Z',
  })
  expires_at?: string | null;
}

export class OpenPaymentLinkDto {
  @Amount('For an open link: the amount that the customer chose', '1200', { presence: 'nullable' })
  amount?: string | null;
}

/** The command checks whether the end still lies ahead, since a replayed request comes later. */
export function checkLink(body: CreatePaymentLinkDto): void {
  const { kind, metadata, success_url: successUrl = null, expires_at: end = null } = body;
  const { amount = null, min_amount: least = null, max_amount: most = null } = body;
  const bounds = { min_amount: least, max_amount: most };
  const [needed, foreign] = kind === 'fixed' ? [{ amount }, bounds] : [bounds, { amount }];
  for (const [param, value] of Object.entries(needed))
    if (value === null) throw refuse('parameter_missing', { param, message: `A link of kind ${kind} needs ${param}.` });
  for (const [param, value] of Object.entries(foreign))
    if (value !== null)
      throw refuse('parameter_invalid', { param, message: `A link of kind ${kind} has no ${param}.` });
  if (least !== null && most !== null && BigInt(least) > BigInt(most))
    throw refuse('invalid_amount_range', { param: 'min_amount' });
  checkMetadata(metadata ?? {});
  checkedLink('success_url', successUrl);
  if (end !== null) canonicalTimestamp(end, 'expires_at');
}

/** The terms of a checked body. */
export function linkTerms(body: CreatePaymentLinkDto): Omit<LinkTerms, 'currency_decimals'> {
  return {
    kind: body.kind,
    currency: body.currency,
    amount_minor_units: body.amount ?? null,
    min_minor_units: body.min_amount ?? null,
    max_minor_units: body.max_amount ?? null,
    description: body.description ?? null,
    metadata: checkMetadata(body.metadata ?? {}),
    success_url: body.success_url ?? null,
    max_uses: body.max_uses ?? null,
    expires_at: body.expires_at ?? null,
  };
}

const PAYMENT_LINK = resource('payment_link', 'An address that opens a new payment each time somebody pays', {
  id: id('plink'),
  object: constant('payment_link'),
  mode: MODE,
  active: flag('False once it was deactivated; one that is spent or has ended opens no payments either'),
  kind: oneOfTexts(LINK_KINDS),
  currency: text('ISO 4217', 'EUR'),
  currency_decimals: whole('Decimals of the currency', 2),
  amount: nullable(digits('Minor units; null for an open link', '2500')),
  min_amount: nullable(digits('Minor units; null for a fixed link', '500')),
  max_amount: nullable(digits('Minor units; null for a fixed link', '50000')),
  description: nullable(text('Shown to customers', 'A ticket for the autumn concert')),
  metadata: mapOf(text(), { order: '42' }),
  success_url: nullable(url('Null: the account’s default', 'https://shop.example/thanks')),
  max_uses: nullable(whole('Null: no limit', 10)),
  expires_at: nullable(timestamp('Null: no end')),
  use_count: whole('Payments that were opened from it', 3),
  url: url('The page for customers', 'https://pay.example/pay/plink_01kb3x5q0g7h2m9c4r8v6t1zny'),
  created: timestamp(),
  deactivated_at: nullable(timestamp()),
});

export type PaymentLinkResource = Answer<typeof PAYMENT_LINK>;

export const PAYMENT_LINK_OPERATIONS = {
  create: {
    id: 'createPaymentLink',
    summary: 'Make a link that customers pay by, with a fixed or an open amount',
    answer: PAYMENT_LINK,
    refuses: [
      'invalid_amount_range', 'currency_not_supported', 'invalid_timestamp', 'invalid_metadata_key',
      'invalid_metadata_value', 'metadata_too_large',
    ], // prettier-ignore
  },
  list: {
    id: 'listPaymentLinks',
    summary: 'List links, newest first',
    answer: listOf(PAYMENT_LINK),
    paged: true,
    query: { active: oneOfTexts(['true', 'false']) },
    refuses: [],
  },
  get: {
    id: 'getPaymentLink',
    summary: 'Retrieve a link',
    answer: PAYMENT_LINK,
    refuses: ['resource_missing'],
  },
  deactivate: {
    id: 'deactivatePaymentLink',
    summary: 'End a link for good; payments that it has opened go on',
    answer: PAYMENT_LINK,
    refuses: ['resource_missing'],
  },
  open: {
    id: 'openPaymentLink',
    summary: 'Open a payment from a link, which counts one use',
    description: 'The payment has the description and the metadata of the link, and names it in `payment_link`.',
    answer: PAYMENT_INTENT,
    refuses: [
      'resource_missing', 'invalid_state_transition', 'amount_too_small', 'amount_too_large', 'currency_not_supported',
      'currency_not_quotable', 'payments_paused',
    ], // prettier-ignore
  },
} as const satisfies OperationTable;
