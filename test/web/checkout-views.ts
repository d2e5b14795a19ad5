import type { CheckoutView, Offer } from '../../src/modules/checkout/queries/checkout-view';

type Payment = CheckoutView['payment'];
type Transfer = Payment['transfers'][number];

export const NOW_MS = 1_795_000_000_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const at = (offsetMs: number) => new Date(NOW_MS + offsetMs).toISOString();

export const ADDRESS = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
export const PAY_URI = `ethereum:0x036CbD53842c5426634e7929541eC2318f3dCF7e@84532/transfer?address=${ADDRESS}&uint256=27153040`;

const METHOD: NonNullable<Payment['payment_method']> = {
  token_id: 'usdc-base',
  asset_symbol: 'USDC',
  network_id: 'base',
  chain_id: 84_532,
  wallet_id: 'wal_01kb3x5q0g7h2m9c4r8v6t1zny',
  address: ADDRESS,
  token_contract: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  token_decimals: 6,
  token_amount: '27.153040',
  token_amount_base_units: '27153040',
  pay_uri: PAY_URI,
  rate: '1.0861216',
  rate_sources: ['kraken', 'coinbase'],
  quoted_at: at(-5 * MINUTE_MS),
  quote_expires_at: at(10 * MINUTE_MS),
  reserved_until: at(10 * MINUTE_MS + DAY_MS),
};

export function transfer(changes: Partial<Transfer> = {}): Transfer {
  return {
    id: 'tr_01kb3x5q0g7h2m9c4r8v6t1zny',
    tx_hash: `0x${'5c'.repeat(32)}`,
    log_index: 0,
    from: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
    token_amount: '27.153040',
    block_number: 1_024,
    confirmations: 3,
    required_confirmations: 12,
    attribution: 'exact',
    status: 'confirming',
    ...changes,
  };
}

const CREATED: Payment = {
  id: 'pi_01kb3x5q0g7h2m9c4r8v6t1zny',
  object: 'payment_intent',
  mode: 'test',
  status: 'created',
  amount: '2500',
  currency: 'EUR',
  currency_decimals: 2,
  received_amount: '0',
  received_token_amount: null,
  surplus_token_amount: null,
  description: 'Two paperbacks',
  created: at(-6 * MINUTE_MS),
  expires_at: null,
  checkout_url: 'https://pay.example/checkout/pi_01kb3x5q0g7h2m9c4r8v6t1zny',
  success_url: null,
  payment_method: null,
  remaining: null,
  transfers: [],
  claims: [],
  restarted_from: null,
  review: null,
  hold: null,
  failure_reason: null,
  payment_link: null,
  invoice: null,
  canceled_at: null,
  confirmed_at: null,
} as Payment;

const offer = (changes: Partial<Offer>): Offer => ({
  tokenId: 'usdc-base',
  asset: 'USDC',
  network: 'base',
  networkName: 'Base',
  walletId: 'wal_01kb3x5q0g7h2m9c4r8v6t1zny',
  tokenAmount: '27.15',
  unavailable: null,
  ...changes,
});

const OFFERS: readonly Offer[] = [
  offer({}),
  offer({ tokenId: 'usdt-tron', asset: 'USDT', network: 'tron', networkName: 'TRON' }),
  offer({
    tokenId: 'usdt-bnb',
    asset: 'USDT',
    network: 'bnb',
    networkName: 'BNB Chain',
    tokenAmount: null,
    unavailable: 'provider_unavailable',
  }),
];

/** A view as the query gives it, with these changes to its payment and to itself. */
export function viewOf(payment: Partial<Payment>, changes: Partial<CheckoutView> = {}): CheckoutView {
  const quoted = payment.status === 'created' || payment.status === undefined ? {} : { payment_method: METHOD };
  return {
    payment: { ...CREATED, ...quoted, ...payment },
    mode: 'test',
    priceTokenAmount: '27.153000',
    nowMs: NOW_MS,
    shop: { name: 'Northwind Books', color: null, logo: null },
    offers: payment.status === 'created' ? OFFERS : [],
    mayRestart: false,
    restartedAs: null,
    successUrl: 'https://shop.example/thanks',
    isInferred: false,
    isHoldOpen: false,
    isRejected: false,
    ...changes,
  };
}

const UNDERPAID = {
  status: 'underpaid',
  received_token_amount: '20.000000',
  received_amount: '1841',
  transfers: [transfer({ token_amount: '20.000000', status: 'credited', confirmations: 12 })],
  review: { reason: 'underpaid', entered_at: at(0), resolution: null, note: null },
} as const;
const REMAINING = {
  token_amount: '7.153211',
  address: ADDRESS,
  pay_uri: PAY_URI.replace('27153040', '7153211'),
  reserved_until: at(DAY_MS),
};
const PAID = {
  received_token_amount: '27.153040',
  transfers: [transfer({ status: 'credited', confirmations: 12 })],
  confirmed_at: at(0),
} as const;

/** One view for each screen of checkout. */
export const VIEWS: Readonly<Record<string, CheckoutView>> = {
  created: viewOf({ status: 'created' }),
  awaiting: viewOf({ status: 'awaiting_payment' }),
  detected: viewOf({ status: 'detected', transfers: [transfer({ status: 'seen', confirmations: 0 })] }),
  confirming: viewOf({ status: 'confirming', transfers: [transfer()] }),
  confirmed: viewOf({ status: 'confirmed', ...PAID }),
  overpaid: viewOf({ status: 'overpaid', ...PAID, surplus_token_amount: '1.500000' }),
  underpaid: viewOf({ ...UNDERPAID, remaining: REMAINING }),
  underpaid_inferred: viewOf(UNDERPAID, { isInferred: true }),
  underpaid_stopped: viewOf(UNDERPAID),
  rejected: viewOf(
    { status: 'failed', failure_reason: 'compliance_rejected', received_token_amount: '27.153040' },
    { isRejected: true },
  ),
  held: viewOf({ status: 'confirming', transfers: [transfer()] }, { isHoldOpen: true }),
  expired: viewOf({ status: 'expired' }, { mayRestart: true, nowMs: NOW_MS + DAY_MS }),
  paid_late: viewOf({ status: 'paid_late', ...PAID, confirmed_at: null }),
  canceled: viewOf({ status: 'canceled', payment_method: null }),
  failed: viewOf({ status: 'failed', failure_reason: 'reverted' }, { mayRestart: true }),
};
