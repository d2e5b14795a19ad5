import type { Document } from '../../../../kernel/ports/documents';
import { invariant } from '../../../../kernel/invariant';
import {
  constant,
  decimal,
  digits,
  flag,
  id,
  MODE,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  whole,
  type Answer,
} from '../../../../platform/http/openapi-schema';
import { isId } from '../../../../vocabulary/ids';
import type { Mode } from '../../../../vocabulary/modes';
import { formatTokenAmount, TOKEN_IDS, TOKENS } from '../../../../vocabulary/tokens';
import { holdsReadModel, type HoldDocument } from '../../../payment-intents/holds.read-model';
import {
  paymentIntentsReadModel,
  type PaymentIntentDocument,
} from '../../../payment-intents/payment-intents.read-model';
import { STATUSES } from '../../../payment-intents/payment-intent.transitions';
import { isHoldOpen } from '../../../payment-intents/payment-intent.holds';
import { isReviewRejected } from '../../../payment-intents/payment-intent.outcome';
import { adminList, byField, ofMerchant, ofMode, type ListReads } from '../admin-list';
import { paymentOfAnyMode } from '../find-payment';

const HOLD_STATUSES = ['open', 'released', 'rejected'] as const;
const REVIEW_REASONS = ['underpaid', 'paid_late'] as const;

const PAYMENT = record({
  id: id('pi'),
  status: oneOfTexts(STATUSES),
  is_review_rejected: flag('The payment was rejected in its review, and stays in its status'),
  amount: digits('In minor units', '2500'),
  currency: text('ISO 4217', 'EUR'),
  currency_decimals: whole('The exponent of the currency', 2),
  received_amount: digits('In minor units', '2400'),
  token_id: nullable(oneOfTexts(TOKEN_IDS)),
  token_amount: nullable(decimal('The amount that was asked for', '26.153040')),
  received_token_amount: nullable(decimal('The amount that has come', '25.000000')),
  created: timestamp(),
});

const HOLD = resource('hold', 'A stop of a payment for one of its payers', {
  id: id('hold'),
  object: constant('hold'),
  mode: MODE,
  merchant_id: id('mch'),
  payment_intent: PAYMENT,
  payer: text('The address that has paid'),
  source: oneOfTexts(['screening', 'administrator']),
  reason: nullable(text('Null for a hold of the screening')),
  status: oneOfTexts(HOLD_STATUSES),
  placed_at: timestamp(),
  resolved_at: nullable(timestamp()),
});

const REVIEW = resource('review', 'A payment that waits for a decision', {
  id: id('pi'),
  object: constant('review'),
  mode: MODE,
  merchant_id: id('mch'),
  reason: oneOfTexts(REVIEW_REASONS),
  entered_at: timestamp(),
  is_held: flag('A hold keeps the payment from being confirmed'),
  payment_intent: PAYMENT,
});

function presentPayment({ id: paymentId, body }: Document<PaymentIntentDocument>): Answer<typeof PAYMENT> {
  const { terms, quote } = body.state;
  const token = quote && TOKENS[quote.token_id];
  return {
    id: paymentId,
    status: body.status,
    is_review_rejected: isReviewRejected(body.state),
    amount: terms.amount_minor_units,
    currency: terms.currency,
    currency_decimals: terms.currency_decimals,
    received_amount: body.received_minor_units,
    token_id: body.token_id,
    token_amount: token && formatTokenAmount(token, quote.due_base_units),
    received_token_amount: token && formatTokenAmount(token, body.received_base_units),
    created: body.created,
  };
}

async function paymentOf({ readModels }: ListReads, mode: string, paymentId: string) {
  const found = await readModels.get(paymentIntentsReadModel, mode as Mode, paymentId);
  invariant(found, `${paymentId} waits and is no payment`);
  return found;
}

export const holds = adminList({
  path: 'holds',
  summary: 'List the holds of payments, the newest first',
  item: HOLD,
  readModel: holdsReadModel,
  lies: 'in_modes',
  filters: {
    merchant: ofMerchant<HoldDocument>(),
    mode: ofMode<HoldDocument>(),
    status: byField<HoldDocument>('status', { values: HOLD_STATUSES }),
  },
  indexes: [
    { index: 'by_status', filters: ['status'] },
    { index: 'by_placing', filters: [] },
  ],
  order: ['placed_at', 'id'],
  notFound: 'hold_not_found',
  find: async ({ readModels }, hold) => {
    if (!isId('hold', hold)) return null;
    const [found] = await readModels.list(holdsReadModel, { index: 'by_hold', equals: { hold }, limit: 1 });
    return found ?? null;
  },
  present: async ({ id: paymentId, body: { hold, ...facts } }, reads) => ({
    ...facts,
    id: hold,
    object: 'hold' as const,
    payment_intent: presentPayment(await paymentOf(reads, facts.mode, paymentId)),
  }),
});

export const reviews = adminList({
  path: 'reviews',
  summary: 'List the payments that wait for a decision, the newest payment first',
  item: REVIEW,
  readModel: paymentIntentsReadModel,
  lies: 'in_modes',
  filters: {
    merchant: ofMerchant<PaymentIntentDocument>(),
    mode: ofMode<PaymentIntentDocument>(),
    status: byField<PaymentIntentDocument>('status', { values: REVIEW_REASONS }),
  },
  indexes: [{ index: 'by_any_decision', filters: [], fixed: { needs_decision: true } }],
  where: ({ needs_decision }) => needs_decision === true,
  order: ['id'],
  notFound: 'payment_not_resolvable',
  find: paymentOfAnyMode,
  present: payment => {
    const { merchant_id, mode, review, state } = payment.body;
    invariant(review !== null, `${payment.id} is not in review`);
    const { reason, entered_at } = review;
    const is_held = isHoldOpen(state);
    return {
      ...{ id: payment.id, object: 'review' as const, merchant_id, mode, reason, entered_at, is_held },
      payment_intent: presentPayment(payment),
    };
  },
});
