import type { Document } from '../../../kernel/ports/documents';
import { formatTokenAmount, TOKENS } from '../../../vocabulary/tokens';
import { isHoldOpen } from '../payment-intent.holds';
import { isMerchantsToConfirm } from '../payment-intent.outcome';
import { isRejected, needsDecision } from '../payment-intent.review';
import type { PaymentIntentDocument } from '../payment-intents.read-model';
import type { PaymentRow } from './find-payments.query';
import type { PaymentFilters } from './payment-filters';

/** Members that a line does not show; without them a document stays small. */
export const UNSHOWN_IN_ROWS = ['state.ledger.screened'];

export function presentRow({ id, body }: Document<PaymentIntentDocument>): PaymentRow {
  const { terms, quote } = body.state;
  const token = quote && TOKENS[quote.token_id];
  const quoted = body.state.quote === null ? null : body.state;
  return {
    id,
    status: body.status,
    needsDecision: needsDecision(body.state),
    reviewReason: body.review?.reason ?? null,
    isInferred: quoted !== null && isMerchantsToConfirm(quoted),
    isHoldOpen: isHoldOpen(body.state),
    isRejected: isRejected(body.state),
    created: body.created,
    amountMinorUnits: terms.amount_minor_units,
    currency: terms.currency,
    currencyDecimals: terms.currency_decimals,
    receivedMinorUnits: body.received_minor_units,
    receivedTokenAmount: token && formatTokenAmount(token, body.received_base_units),
    asset: token && token.asset,
    networkId: token && token.network,
    description: terms.description,
    metadata: terms.metadata,
  };
}

/** Whether the payment passes every filter but the search. */
export function passes({ body }: Document<PaymentIntentDocument>, filters: PaymentFilters): boolean {
  const { terms, quote } = body.state;
  const { status, tokenId, amount, range } = filters;
  const isOfStatus = status === null || hasStatus(body, status);
  const isOfAmount =
    amount === null || (terms.currency === amount.currency && terms.amount_minor_units === amount.minorUnits);
  const isInRange = body.created >= (range?.from ?? '') && (range?.to === undefined || body.created <= range.to);
  return isOfStatus && isOfAmount && isInRange && (tokenId === null || quote?.token_id === tokenId);
}

function hasStatus(payment: PaymentIntentDocument, status: NonNullable<PaymentFilters['status']>): boolean {
  if (status === 'needs_decision') return needsDecision(payment.state);
  return status === 'held' ? isHoldOpen(payment.state) : payment.status === status;
}
