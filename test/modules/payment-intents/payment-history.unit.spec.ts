import { CHANGES, changesOf } from '../../../src/modules/payment-intents/queries/payment-history';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { TRANSITIONS } from '../../../src/modules/payment-intents/payment-intent.transitions';
import * as h from './histories';

const PLACE = { block_number: 101, block_hash: `0x${'ef'.repeat(32)}`, block_time: '2026-11-01T12:05:02.000Z' };
const RECEIVED = { received_base_units: '10000000', received_minor_units: '925' };
const SETTLED = { received_amount: '925', received_token_amount: '10.000000', surplus_token_amount: null };
const ASKED = { token_amount: '17.000130', reserved_until: h.remainder.reserved_until };
const MOVED = { type: 'transfer_moved', data: { transfer: 'tr_1', ...PLACE } };

/** Every event type, in an order that no payment would have, and the change that a merchant reads for it. */
const TOLD: readonly (readonly [PaymentIntentEvent, object])[] = [
  [h.created, { type: 'created', data: { amount: '2500', currency: 'EUR', currency_decimals: 2 } }],
  [
    h.selected,
    {
      type: 'method_selected',
      data: {
        token_id: 'usdc-base',
        network_id: 'base',
        wallet_id: h.quote.wallet_id,
        address: h.quote.address,
        token_amount: '27.000120',
        rate: '1.08',
        quote_expires_at: h.EXPIRES_AT,
      },
    },
  ],
  [
    h.detected('tr_1', '27000120'),
    {
      type: 'transfer_seen',
      data: {
        transfer: 'tr_1',
        tx_hash: `0x${'ab'.repeat(32)}`,
        log_index: 0,
        from: h.PAYER,
        token_amount: '27.000120',
        block_number: 100,
        block_hash: h.BLOCK_HASH,
        block_time: '2026-11-01T12:05:00.000Z',
        attribution: 'exact',
      },
    },
  ],
  [{ type: 'TransferDetected', data: { ...h.transfer('tr_1', '27000120'), ...PLACE } }, MOVED],
  [{ type: 'TransferMoved', data: { transfer_id: 'tr_1', ...PLACE } }, MOVED],
  [
    { type: 'TransferDropped', data: { transfer_id: 'tr_1', reason: 'reorged_out' } },
    { type: 'transfer_dropped', data: { transfer: 'tr_1', reason: 'reorged_out' } },
  ],
  [
    { type: 'TransferLimitReached', data: { limit: 100 } },
    { type: 'transfers_limited', data: { limit: 100 } },
  ],
  [
    { type: 'ConfirmationSeen', data: { transfer_id: 'tr_1', head_number: 101 } },
    { type: 'confirming', data: { transfer: 'tr_1', head_number: 101 } },
  ],
  [h.screened(h.PAYER, 'high_risk'), { type: 'payer_screened', data: { payer: h.PAYER, verdict: 'high_risk' } }],
  [h.depth('tr_1'), { type: 'deep_enough', data: { transfer: 'tr_1' } }],
  [
    { type: 'RemainderCredited', data: { transfer_id: 'tr_2', ...RECEIVED } },
    { type: 'deep_enough', data: { transfer: 'tr_2' } },
  ],
  [
    { type: 'PaymentConfirmed', data: { ...RECEIVED, surplus_base_units: '2000000' } },
    { type: 'settled', data: { status: 'confirmed', ...SETTLED, surplus_token_amount: '2.000000' } },
  ],
  [
    { type: 'PaymentUnderpaid', data: { ...RECEIVED, remainder: h.remainder } },
    { type: 'settled', data: { status: 'underpaid', ...SETTLED } },
  ],
  [
    { type: 'PaymentOverpaid', data: { ...RECEIVED, surplus_base_units: '1500000' } },
    { type: 'settled', data: { status: 'overpaid', ...SETTLED, surplus_token_amount: '1.500000' } },
  ],
  [
    { type: 'PaidLate', data: { ...RECEIVED, transfer_id: 'tr_1' } },
    { type: 'settled', data: { status: 'paid_late', ...SETTLED } },
  ],
  [
    { type: 'RemainderReserved', data: h.remainder },
    { type: 'remainder_asked', data: ASKED },
  ],
  [
    { type: 'PaymentAccepted', data: { note: 'ours' } },
    { type: 'accepted', data: { note: 'ours' } },
  ],
  [
    { type: 'ReviewResolved', data: { resolution: 'rejected', note: 'no' } },
    { type: 'resolved', data: { resolution: 'rejected', note: 'no' } },
  ],
  [h.held, { type: 'hold_placed', data: { payer: h.PAYER } }],
  [h.released, { type: 'hold_released', data: {} }],
  [h.rejected, { type: 'hold_rejected', data: {} }],
  [
    { type: 'QuoteExpired', data: { quote_expires_at: h.EXPIRES_AT } },
    { type: 'expired', data: { quote_expires_at: h.EXPIRES_AT } },
  ],
  [
    { type: 'PaymentCanceled', data: {} },
    { type: 'canceled', data: {} },
  ],
  [
    { type: 'PaymentFailed', data: { transfer_id: 'tr_1', reason: 'reverted' } },
    { type: 'failed', data: { transfer: 'tr_1', reason: 'reverted' } },
  ],
  [
    { type: 'SettledTransferLost', data: { transfer_id: 'tr_1' } },
    { type: 'lost', data: { transfer: 'tr_1' } },
  ],
];

it('tells each event in the public words, and keeps to compliance what is its own', () => {
  expect(changesOf(TOLD.map(([event]) => event))).toStrictEqual(TOLD.map(([, change]) => change));
});

it('leaves no event out, and documents the fields of each word', () => {
  const types = Object.values(TRANSITIONS).flatMap(row => Object.values(row).flatMap(({ events }) => events));
  expect(new Set(TOLD.map(([{ type }]) => type))).toStrictEqual(new Set(types));
  for (const { type, data } of changesOf(TOLD.map(([event]) => event)))
    expect([type, CHANGES[type]]).toStrictEqual([type, Object.keys(data).join(', ')]);
});

it('calls a transfer seen, not moved, where it comes back after its drop or with another value', () => {
  const history = [h.selected, h.detected('tr_1', '5'), h.dropped('tr_1'), h.detected('tr_1', '5')];
  const types = changesOf([...history, h.detected('tr_1', '6')]).map(({ type }) => type);
  expect(types).toStrictEqual([
    'method_selected',
    'transfer_seen',
    'transfer_dropped',
    'transfer_seen',
    'transfer_seen',
  ]);
});

it('a transfer that was inferred, and then named, is told twice', () => {
  const named = h.detected('tr_1', '26865119');
  const former: PaymentIntentEvent = {
    type: 'TransferDetected',
    data: { ...h.transfer('tr_2', '1'), attribution: 'unrecorded' },
  };
  const told = changesOf([h.created, h.selected, h.inferred('tr_1', '26865119'), named, former]).slice(2);
  expect(told.map(({ type, data }) => [type, data.attribution])).toStrictEqual([
    ['transfer_seen', 'inferred'],
    ['transfer_seen', 'claimed'],
    ['transfer_seen', null],
  ]);
});
