import { ASSETS, TOKEN_IDS } from '../../../vocabulary/tokens';
import { NETWORK_IDS } from '../../../vocabulary/networks';
import {
  arrayOf,
  constant,
  decimal,
  digits,
  id,
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
import { STATUSES } from '../payment-intent.transitions';

const ADDRESS = text("The merchant's own wallet", '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A');
const PAY_URI = text(
  'For a QR code: EIP-681 on bnb and base',
  'ethereum:0x036CbD53842c5426634e7929541eC2318f3dCF7e@84532/transfer?…',
);
const EXACT = 'To be paid exactly, unrounded: it tells this payment from all others';

const PAYMENT_METHOD = resource('payment_method', 'Amount to pay, and the address to pay it to', {
  token_id: oneOfTexts(TOKEN_IDS),
  asset_symbol: oneOfTexts(ASSETS),
  network_id: oneOfTexts(NETWORK_IDS),
  chain_id: nullable(whole('EIP-155; null on tron', 84532)),
  wallet_id: id('wal'),
  address: ADDRESS,
  token_contract: text('The one contract that is matched', '0x036CbD53842c5426634e7929541eC2318f3dCF7e'),
  token_decimals: whole('Of this token on this network', 6, { maximum: 36 }),
  token_amount: decimal(EXACT, '27.153040'),
  token_amount_base_units: digits('The same in the smallest units of the token', '27153040'),
  pay_uri: PAY_URI,
  rate: decimal('Token units for one major unit of the currency', '1.0861216'),
  rate_sources: arrayOf(text('Whose observations the rate comes from', 'kraken')),
  quoted_at: timestamp(),
  quote_expires_at: timestamp('15 minutes after quoted_at', '2026-11-21T12:15:00.000Z'),
  reserved_until: timestamp(
    'Until then a transfer of this amount is still matched to the payment',
    '2026-11-22T12:15:00.000Z',
  ),
});

const TRANSFER = resource('transfer', 'A transfer on chain that is counted for the payment', {
  id: id('tr'),
  tx_hash: text('0x and 64 hex characters; on tron 64 without 0x', `0x${'5c'.repeat(32)}`),
  log_index: whole('Which transfer of its transaction', 0),
  from: text('The payer', '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'),
  token_amount: decimal('Amount that has come', '27.153040'),
  block_number: whole('The block that holds it', 1024),
  confirmations: whole('Blocks on top of that one, as last seen', 3),
  required_confirmations: whole('How many are waited for', 12),
  attribution: oneOfTexts(
    ['exact', 'claimed', 'inferred'],
    'exact: its amount met the amount due or a remainder. claimed: you, the customer or support named it. inferred: its amount and its moment point to no other payment. A payment with an inferred transfer is underpaid until you accept it, save on a dedicated wallet',
  ),
  status: oneOfTexts(['seen', 'confirming', 'credited', 'reorged', 'failed']),
});

const REMAINING = record({
  token_amount: decimal(EXACT, '3.120010'),
  address: ADDRESS,
  pay_uri: PAY_URI,
  reserved_until: timestamp(
    'Until then a transfer of this amount is matched to the payment. After it, show the amount to nobody: it may be asked for another payment.',
    '2026-11-22T12:15:00.000Z',
  ),
});

const REVIEW = record({
  reason: oneOfTexts(['underpaid', 'paid_late']),
  entered_at: timestamp(),
  resolution: nullable({
    ...oneOfTexts(['accepted', 'rejected']),
    description: 'The decision; it stays null where the remainder has paid the payment, or compliance has rejected it',
  }),
  note: nullable(text()),
});

const HOLD = record({
  id: id('hold'),
  status: oneOfTexts(['open', 'released', 'rejected']),
  placed_at: timestamp(),
  resolved_at: nullable(timestamp('Null while the hold is open')),
  note: nullable(text('Null: the reasons of compliance are not told')),
});

export const NAMING_KINDS = ['transaction', 'exchange_transfer'] as const;
export const NAMING_STATUSES = ['pending', 'in_review', 'attributed', 'refused'] as const;

const CLAIM = record({
  id: id('tc'),
  reference: text("The hash, or an exchange's own number", '5550001234'),
  kind: oneOfTexts(NAMING_KINDS),
  status: oneOfTexts(NAMING_STATUSES),
  created: timestamp(),
});

export const PAYMENT_INTENT = resource('payment_intent', 'A payment that is asked for in fiat and made in a token', {
  id: id('pi'),
  object: constant('payment_intent'),
  mode: MODE,
  status: oneOfTexts(STATUSES, 'Ship on confirmed and overpaid, on nothing else'),
  amount: digits('Whole minor units of the currency', '2500'),
  currency: text('ISO 4217', 'EUR'),
  currency_decimals: whole('The exponent of the currency', 2),
  received_amount: digits('Whole minor units, all transfers together', '0'),
  received_token_amount: nullable(decimal('The same in the token; null before a method is selected', '0.000000')),
  surplus_token_amount: nullable(
    decimal('Amount beyond the amount due; null until the payment is paid with more than was asked for', '1.500000'),
  ),
  metadata: METADATA,
  description: nullable(text('Shown to the customer at checkout', 'Two tickets, row 7')),
  created: timestamp(),
  expires_at: nullable(timestamp('When the quote ends; null before a method is selected', '2026-11-21T12:15:00.000Z')),
  checkout_url: url('Where to send the customer', 'https://pay.example/checkout/pi_01kb3x5q0g7h2m9c4r8v6t1zny'),
  success_url: nullable(
    text('Where the customer goes after checkout; no proof of payment', 'https://shop.example/thanks'),
  ),
  payment_method: nullable(PAYMENT_METHOD),
  remaining: nullable({
    ...REMAINING,
    description:
      'In underpaid: how the remainder can be paid. Null after reserved_until, while a hold is open, and after a rejection in review or by compliance. While the remainder is reckoned anew after a lost transfer, or no amount is free for it, nothing is to be paid either. Nor is anything while an inferred transfer waits for your decision.',
  }),
  transfers: arrayOf(TRANSFER),
  claims: nullable({
    ...arrayOf(CLAIM),
    description:
      'The newest ten transactions that were named for it; GET /v1/transaction_claims has all. Null in webhook events.',
  }),
  review: nullable({ ...REVIEW, description: 'A decision that is, or was, yours to make' }),
  hold: nullable({ ...HOLD, description: 'While it is open the payment cannot be confirmed' }),
  failure_reason: nullable(
    oneOfTexts(
      ['reverted', 'reorged_out', 'verification_failed', 'compliance_rejected'],
      'After compliance_rejected the received_amount lies in your wallet',
    ),
  ),
  restarted_from: nullable(
    id('pi', 'The payment in whose place the customer started this one; only where checkout_restart allows it'),
  ),
  payment_link: nullable(id('plink', 'The link that made it')),
  invoice: nullable(id('inv', 'The invoice that it is to pay')),
  canceled_at: nullable(timestamp()),
  confirmed_at: nullable(timestamp()),
});

export type PaymentIntentResource = Answer<typeof PAYMENT_INTENT>;
