import { ACTOR_ROLES } from '../../../kernel/event';
import { checkedLink, MAX_LINK_LENGTH } from '../../../kernel/links';
import { checkMetadata } from '../../../kernel/metadata';
import { DECISION_NOTE } from '../../../vocabulary/reasons';
import { TOKEN_ID_REFUSALS, TOKEN_IDS, tokenIdRefusal } from '../../../vocabulary/tokens';
import type { BodyCheck } from '../../../platform/http/caller';
import { CurrencyCode, DecisionNote, Id, OneOf, Text, Url } from '../../../platform/http/fields/text-fields';
import { Amount, Metadata, NotTaken } from '../../../platform/http/fields/value-fields';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  anyObject,
  constant,
  id,
  listOf,
  oneOfTexts,
  resource,
  timestamp,
  whole,
} from '../../../platform/http/openapi-schema';
import { DESCRIPTION } from '../payment-intent.commands';
import { STATUSES } from '../payment-intent.transitions';
import { CHANGES } from '../queries/payment-history';
import { PAYMENT_INTENT } from '../queries/payment-intent.answer';

export class CreatePaymentIntentDto {
  @Amount('Whole minor units of `currency`, as an integer or a string of digits', '2500')
  amount!: string;

  @CurrencyCode()
  currency!: string;

  @NotTaken('invalid_currency_decimals', 'must be left out: ISO 4217 gives the decimals of a currency')
  currency_decimals?: undefined;

  @Metadata()
  metadata?: Record<string, unknown> | null;

  @Text({
    presence: 'nullable',
    ...DESCRIPTION,
    description: 'Subject of the payment; shown to the customer at checkout',
    example: 'Two tickets, row 7',
  })
  description?: string | null;

  @Url({
    presence: 'nullable',
    maxLength: MAX_LINK_LENGTH,
    description: 'Where the customer is sent after checkout; never a proof of payment',
    example: 'https://shop.example/thanks',
  })
  success_url?: string | null;
}

export const checkOrder: BodyCheck<CreatePaymentIntentDto> = ({ metadata, success_url: successUrl }) => {
  checkMetadata(metadata ?? {});
  checkedLink('success_url', successUrl ?? null);
};

export class SelectMethodDto {
  @OneOf(TOKEN_IDS, { code: { among: TOKEN_ID_REFUSALS, of: tokenIdRefusal }, example: 'usdc-base' })
  token_id!: string;

  @Id('wal', { isFilled: true, description: 'A verified wallet of yours, named by the route of the token' })
  wallet_id!: string;
}

export class AcceptDto {
  @Text({ presence: 'nullable', max: DECISION_NOTE.max, description: 'For whoever reads this later' })
  note?: string | null;
}

export class ResolveDto {
  @OneOf(['accepted', 'rejected'], { code: 'invalid_resolution' })
  resolution!: 'accepted' | 'rejected';

  @DecisionNote()
  note!: string;
}

const FIELDS = Object.entries(CHANGES).map(([type, fields]) => `${type}: ${fields || 'none'}`);

const PAYMENT_INTENT_EVENT = resource('payment_intent_event', 'One change in the history of a payment', {
  id: id('pev'),
  object: constant('payment_intent_event'),
  revision: whole('Its place in the history, from 0', 0),
  type: oneOfTexts(Object.keys(CHANGES)),
  actor: oneOfTexts(ACTOR_ROLES, 'Role that caused the event'),
  occurred_at: timestamp(),
  data: anyObject(`The fields of each type. ${FIELDS.join('. ')}.`),
});

export const PAYMENT_INTENT_OPERATIONS = {
  create: {
    id: 'createPaymentIntent',
    summary: 'Ask for a payment in fiat',
    description:
      'Send the customer to `checkout_url`, where they choose a method and pay. Or select a method yourself, and show the customer what to pay.',
    answer: PAYMENT_INTENT,
    refuses: [
      'amount_too_small', 'amount_too_large', 'currency_not_supported', 'currency_not_quotable', 'invalid_metadata_key',
      'invalid_metadata_value', 'metadata_too_large', 'payments_paused',
    ], // prettier-ignore
  },
  list: {
    id: 'listPaymentIntents',
    summary: 'List payments, newest first',
    answer: listOf(PAYMENT_INTENT),
    paged: true,
    query: {
      status: oneOfTexts(STATUSES),
      created_from: timestamp('Created then or later'),
      created_to: timestamp('Created then or earlier'),
      invoice: id('inv', 'The payments of this invoice alone'),
      payment_link: id('plink', 'The payments that this link made'),
    },
    refuses: ['invalid_timestamp', 'invalid_range'],
  },
  get: {
    id: 'getPaymentIntent',
    summary: 'Retrieve a payment',
    answer: PAYMENT_INTENT,
    refuses: ['payment_not_found'],
  },
  events: {
    id: 'listPaymentIntentEvents',
    summary: "List a payment's own history, oldest first",
    answer: listOf(PAYMENT_INTENT_EVENT),
    paged: true,
    refuses: ['payment_not_found'],
  },
  selectMethod: {
    id: 'selectPaymentMethod',
    summary: 'Choose the token: locks a quote for 15 minutes and reserves an exact amount',
    answer: PAYMENT_INTENT,
    refuses: [
      'payment_not_found', 'invalid_state_transition', 'asset_token_mismatch', 'unknown_token', 'token_not_enabled',
      'token_disabled', 'unsupported_network', 'wallet_not_found', 'wallet_not_owned', 'network_mismatch',
      'wallet_not_verified', 'no_route_configured', 'amount_too_small', 'insufficient_rate_sources', 'rate_divergence',
      'reservation_capacity_exhausted',
    ], // prettier-ignore
  },
  cancel: {
    id: 'cancelPaymentIntent',
    summary: 'Cancel a payment of which nothing has been seen on chain',
    answer: PAYMENT_INTENT,
    refuses: ['payment_not_found', 'invalid_state_transition'],
  },
  accept: {
    id: 'acceptPaymentIntent',
    summary: 'Accept an underpaid payment as paid',
    answer: PAYMENT_INTENT,
    refuses: ['payment_not_found', 'payment_not_underpaid', 'payment_not_resolvable', 'compliance_hold'],
  },
  resolve: {
    id: 'resolvePaymentIntent',
    summary: 'Decide on a payment that came short or late',
    description:
      'A rejection is refused while a transfer of the payment is not deep enough. A rejected payment takes nothing more: a later transfer goes to the unmatched queue.',
    answer: PAYMENT_INTENT,
    refuses: [
      'payment_not_found', 'payment_not_resolvable', 'invalid_state_transition', 'invalid_resolution',
      'compliance_hold',
    ], // prettier-ignore
  },
} as const satisfies OperationTable;
