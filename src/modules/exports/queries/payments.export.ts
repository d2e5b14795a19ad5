import type { Document } from '../../../kernel/ports/documents';
import {
  decimal,
  digits,
  id,
  METADATA,
  nullable,
  oneOfTexts,
  resource,
  text,
  timestamp,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { formatUnits } from '../../../vocabulary/money';
import { NETWORK_IDS } from '../../../vocabulary/networks';
import { ASSETS, formatTokenAmount, TOKEN_IDS, TOKENS } from '../../../vocabulary/tokens';
import { STATUSES } from '../../payment-intents/payment-intent.transitions';
import { paymentIntentsReadModel, type PaymentIntentDocument } from '../../payment-intents/payment-intents.read-model';
import { ownPages, UNSHOWN_OF_PAYMENTS } from '../export-source';
import { exportKind } from './export-kind';

const PAYMENT_ROW = resource('payment_export_row', 'One payment of an export', {
  id: id('pi'),
  status: oneOfTexts(STATUSES),
  created: timestamp(),
  confirmed_at: nullable(timestamp()),
  canceled_at: nullable(timestamp()),
  currency: text('ISO 4217', 'EUR'),
  amount: digits('Whole minor units of the currency', '2500'),
  amount_decimal: decimal('The same in whole units', '25.00'),
  received_amount: digits('Whole minor units of the currency, all transfers together', '2500'),
  received_amount_decimal: decimal('The same in whole units', '25.00'),
  token_id: nullable(oneOfTexts(TOKEN_IDS, 'Null before a method is selected, as all that is about the token')),
  asset_symbol: nullable(oneOfTexts(ASSETS)),
  network_id: nullable(oneOfTexts(NETWORK_IDS)),
  token_amount: nullable(decimal('The exact amount that was asked for', '27.153040')),
  received_token_amount: nullable(decimal('All transfers together', '27.153040')),
  surplus_token_amount: nullable(decimal('Amount beyond the amount due', '1.500000')),
  rate: nullable(decimal('Token units for one major unit of the currency', '1.0861216')),
  wallet_id: nullable(id('wal')),
  address: nullable(text('Your wallet', '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A')),
  review_reason: nullable(oneOfTexts(['underpaid', 'paid_late'])),
  review_resolution: nullable(oneOfTexts(['accepted', 'rejected'])),
  failure_reason: nullable(text()),
  payment_link: nullable(id('plink', 'The link that made it')),
  invoice: nullable(id('inv', 'The invoice that it is to pay')),
  description: nullable(text('Shown to the customer at checkout', 'Two tickets, row 7')),
  metadata: METADATA,
});

function paymentRow({ id: paymentId, body }: Document<PaymentIntentDocument>): Answer<typeof PAYMENT_ROW> {
  const { state, review } = body;
  const { terms, quote } = state;
  const ledger = state.quote && state.ledger;
  const token = quote && TOKENS[quote.token_id];
  const inWhole = (minorUnits: string): string =>
    formatUnits(BigInt(minorUnits), terms.currency_decimals, terms.currency_decimals);
  const inTokens = (baseUnits: string): string | null => token && formatTokenAmount(token, baseUnits);
  return {
    id: paymentId,
    status: body.status,
    created: body.created,
    confirmed_at: body.confirmed_at,
    canceled_at: body.canceled_at,
    currency: terms.currency,
    amount: terms.amount_minor_units,
    amount_decimal: inWhole(terms.amount_minor_units),
    received_amount: body.received_minor_units,
    received_amount_decimal: inWhole(body.received_minor_units),
    token_id: token && token.id,
    asset_symbol: token && token.asset,
    network_id: token && token.network,
    token_amount: quote && inTokens(quote.due_base_units),
    received_token_amount: inTokens(body.received_base_units),
    surplus_token_amount: body.surplus_base_units && inTokens(body.surplus_base_units),
    rate: quote && quote.rate,
    wallet_id: quote && quote.wallet_id,
    address: quote && quote.address,
    review_reason: review && review.reason,
    review_resolution: ledger?.review === 'pending' ? null : (ledger?.review ?? null),
    failure_reason: body.failure_reason,
    payment_link: terms.payment_link,
    invoice: terms.invoice,
    description: terms.description,
    metadata: terms.metadata,
  };
}

const pages = ownPages(paymentIntentsReadModel, [...UNSHOWN_OF_PAYMENTS, 'transfers']);

export const paymentsExport = exportKind(PAYMENT_ROW, pages, payment => [paymentRow(payment)]);
