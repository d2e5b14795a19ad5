import { parseIsoTime } from '../../../kernel/clock';
import type { Mode } from '../../../vocabulary/modes';
import { formatTokenAmount, TOKENS } from '../../../vocabulary/tokens';
import { familyOf, NETWORKS } from '../../../vocabulary/networks';
import { payUri } from '../../quotes/pay-uri';
import type { Quote } from '../payment-intent.events';
import { isHeld } from '../payment-intent.holds';
import { unpaidRemainder } from '../payment-intent.outcome';
import type { Ledger } from '../payment-intent.state';
import type { PaymentIntentDocument, TransferRow } from '../payment-intents.read-model';
import type { PaymentIntentResource } from './payment-intent.answer';

type PresentationContext = {
  /** The customer pays at `{checkoutUrl}/{id}`. */
  readonly checkoutUrl: string;
  /** Height of the network's head as the watcher last saw it; null when the head is not known. */
  readonly headNumber: number | null;
  /** The time by the clock of the payment's merchant. */
  readonly nowMs: number;
  /** Transactions that were named for the payment; null where nobody asks for them. */
  readonly claims: PaymentIntentResource['claims'];
};

/** The payment as the API's `payment_intent`. */
export function presentPaymentIntent(
  id: string,
  doc: PaymentIntentDocument,
  context: PresentationContext,
): PaymentIntentResource {
  const { terms, quote } = doc.state;
  const ledger = doc.state.quote && doc.state.ledger;
  const tokenAmount = (baseUnits: string): string | null =>
    quote && formatTokenAmount(TOKENS[quote.token_id], baseUnits);
  return {
    id,
    object: 'payment_intent',
    mode: doc.mode,
    status: doc.status,
    amount: terms.amount_minor_units,
    currency: terms.currency,
    currency_decimals: terms.currency_decimals,
    received_amount: doc.received_minor_units,
    received_token_amount: tokenAmount(doc.received_base_units),
    surplus_token_amount: doc.surplus_base_units && tokenAmount(doc.surplus_base_units),
    metadata: terms.metadata,
    description: terms.description,
    created: doc.created,
    expires_at: quote?.quote_expires_at ?? null,
    checkout_url: `${context.checkoutUrl}/${id}`,
    success_url: terms.success_url,
    payment_method: quote && presentMethod(quote, doc.mode as Mode),
    remaining: quote && presentRemaining(doc, quote, context.nowMs),
    transfers: quote ? doc.transfers.map(row => presentTransfer(row, quote, context.headNumber)) : [],
    claims: context.claims,
    review: doc.review && ledger && presentReview(doc.review, ledger),
    hold: ledger?.hold && doc.hold ? { ...doc.hold, status: ledger.hold.status, note: null } : null,
    failure_reason: doc.failure_reason,
    restarted_from: terms.restarted_from,
    payment_link: terms.payment_link,
    invoice: terms.invoice,
    canceled_at: doc.canceled_at,
    confirmed_at: doc.confirmed_at,
  };
}

function presentMethod(quote: Quote, mode: Mode): PaymentIntentResource['payment_method'] {
  const token = TOKENS[quote.token_id];
  const due = BigInt(quote.due_base_units);
  return {
    token_id: token.id,
    asset_symbol: token.asset,
    network_id: token.network,
    // TRON's pay URI has no chain id.
    chain_id: familyOf(token.network) === 'evm' ? NETWORKS[token.network].chainId[mode] : null,
    wallet_id: quote.wallet_id,
    address: quote.address,
    token_contract: token.contract[mode],
    token_decimals: token.decimals,
    token_amount: formatTokenAmount(token, due),
    token_amount_base_units: quote.due_base_units,
    pay_uri: payUri(token, mode, quote.address, due),
    rate: quote.rate,
    rate_sources: quote.observations.map(observation => observation.source),
    quoted_at: quote.quoted_at,
    quote_expires_at: quote.quote_expires_at,
    reserved_until: quote.reserved_until,
  };
}

/** Null where nobody should pay: under a hold, and after the amount's time, when a transfer would match no payment. */
function presentRemaining(
  { mode, state }: PaymentIntentDocument,
  quote: Quote,
  nowMs: number,
): PaymentIntentResource['remaining'] {
  const remainder = unpaidRemainder(state);
  if (remainder === null || isHeld(state) || nowMs > parseIsoTime(remainder.reserved_until)) return null;
  const token = TOKENS[quote.token_id];
  const due = BigInt(remainder.due_base_units);
  return {
    token_amount: formatTokenAmount(token, due),
    address: quote.address,
    pay_uri: payUri(token, mode as Mode, quote.address, due),
    reserved_until: remainder.reserved_until,
  };
}

function presentReview(
  { reason, entered_at, note }: NonNullable<PaymentIntentDocument['review']>,
  { review }: Ledger,
): PaymentIntentResource['review'] {
  return { reason, entered_at, resolution: review === 'pending' ? null : review, note };
}

/**
 * There is no event for each confirmation: the count follows from the head. Without a head, the count that the events
 * prove is shown.
 */
function presentTransfer(
  row: TransferRow,
  quote: Quote,
  headNumber: number | null,
): PaymentIntentResource['transfers'][number] {
  const required = quote.required_confirmations;
  const proven = { seen: 0, confirming: 1, credited: required, reorged: 0, failed: 0 }[row.status];
  const gone = row.status === 'reorged' || row.status === 'failed';
  const counted = headNumber === null || gone ? 0 : headNumber - row.block_number;
  return {
    id: row.transfer_id,
    tx_hash: row.tx_hash,
    log_index: row.ordinal,
    from: row.from,
    token_amount: formatTokenAmount(TOKENS[quote.token_id], row.value_base_units),
    block_number: row.block_number,
    confirmations: Math.max(proven, counted),
    required_confirmations: required,
    attribution: row.attribution,
    status: row.status,
  };
}
