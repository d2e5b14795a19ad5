import { merchantsProjection } from '../../../projections/merchants.projection';
import type { RecordedEvent } from '../../../src/kernel/event';
import { applyEvents } from '../../../src/kernel/projection';
import { merchants } from '../../../src/modules/merchants/merchant.decider';
import type { MerchantEvent } from '../../../src/modules/merchants/merchant.events';
import { isPaused, pauseOf, type MerchantDocument } from '../../../src/modules/merchants/merchants.read-model';
import type { Mode } from '../../../src/vocabulary/modes';
import { given } from '../../support/given-when-then';

const CONTEXT = { actor: { role: 'admin', type: 'system', id: 'cli:alice' }, now: 0 } as const;
const PAUSES_AT = '2027-01-08T12:00:00.000Z';

const registered: MerchantEvent = { type: 'MerchantRegistered', data: { name: 'Shop', email: 'owner@example.com' } };
const scheduled = (id: string, at = PAUSES_AT): MerchantEvent => ({
  type: 'PauseScheduled',
  data: { fee_invoice: id, pauses_at: at },
});
const withdrawn = (id: string): MerchantEvent => ({ type: 'PauseWithdrawn', data: { fee_invoice: id } });
const schedule = { type: 'schedule_pause', feeInvoice: 'finv_1', pausesAt: PAUSES_AT } as const;
const withdraw = { type: 'withdraw_pause', feeInvoice: 'finv_1' } as const;

function documentOf(...events: readonly MerchantEvent[]): MerchantDocument {
  const history = events.map(({ type, data }, revision) => {
    const metadata = { mode: 'platform', merchant_id: 'mch_1', occurred_at: '2026-11-01T12:00:00.000Z' };
    return { type, data, stream: 'platform.merchant-mch_1', revision, position: revision, metadata };
  }) as unknown as readonly RecordedEvent[];
  return applyEvents(merchantsProjection, history, () => null).get('mch_1')?.body as MerchantDocument;
}

function pausedNow(merchant: MerchantDocument, mode: Mode, nowMs: number): boolean {
  return isPaused({ merchant, killSwitch: null }, mode, nowMs);
}

describe('the rate of a merchant', () => {
  it('is changed by an event, and never to the same rate', () => {
    given(merchants, [registered])
      .when({ type: 'set_fee_rate', bps: 40 }, CONTEXT)
      .then([{ type: 'FeeRateSet', data: { fee_bps: 40 } }]);
    given(merchants, [registered]).when({ type: 'set_fee_rate', bps: 50 }, CONTEXT).then([]);
    expect([
      documentOf(registered),
      documentOf(registered, { type: 'FeeRateSet', data: { fee_bps: 40 } }),
    ]).toMatchObject([{ fee_bps: 50 }, { fee_bps: 40 }]);
  });

  it('is set with the ceiling of a payment, each by an event of its own where it changes', () => {
    const limits = (bps: number, ceilingUsdMinorUnits: bigint) =>
      ({ type: 'set_limits', bps, ceilingUsdMinorUnits }) as const;
    const ceilingSet = { type: 'PaymentCeilingSet', data: { payment_ceiling_usd_minor_units: '5000' } } as const;
    given(merchants, [registered]).when(limits(50, 100_000_000n), CONTEXT).then([]);
    given(merchants, [registered])
      .when(limits(40, 5_000n), CONTEXT)
      .then([ceilingSet, { type: 'FeeRateSet', data: { fee_bps: 40 } }]);
    given(merchants, [registered, ceilingSet])
      .when(limits(40, 5_000n), CONTEXT)
      .then([{ type: 'FeeRateSet', data: { fee_bps: 40 } }]);
    given(merchants, [registered]).when(limits(40, 0n), CONTEXT).thenRefused('invalid_amount', 'payment_ceiling_usd');
  });

  it.each([-1, 0.5, 1_001])('is not %s basis points', bps => {
    given(merchants, [registered]).when({ type: 'set_fee_rate', bps }, CONTEXT).thenRefused('invalid_bps', 'fee_bps');
  });
});

describe('the pause for a fee invoice', () => {
  it('is scheduled once, and withdrawn once', () => {
    given(merchants, [registered])
      .when(schedule, CONTEXT)
      .then([scheduled('finv_1')]);
    given(merchants, [registered, scheduled('finv_1')])
      .when(schedule, CONTEXT)
      .then([]);
    given(merchants, [registered, scheduled('finv_1')])
      .when(withdraw, CONTEXT)
      .then([withdrawn('finv_1')]);
    given(merchants, [registered, scheduled('finv_1'), withdrawn('finv_1')])
      .when(withdraw, CONTEXT)
      .then([]);
  });

  it('is not scheduled any more where the payment was told first', () => {
    given(merchants, [registered])
      .when(withdraw, CONTEXT)
      .then([withdrawn('finv_1')]);
    given(merchants, [registered, withdrawn('finv_1')])
      .when(schedule, CONTEXT)
      .then([]);
  });

  it('holds in live mode from its moment on, until all fee invoices that are over their term are paid', () => {
    const atMs = Date.parse(PAUSES_AT);
    const later = scheduled('finv_2', '2027-02-08T12:00:00.000Z');
    const both = documentOf(registered, scheduled('finv_1'), later);
    expect([pausedNow(both, 'live', atMs - 1), pausedNow(both, 'live', atMs), pausedNow(both, 'test', atMs)]).toEqual([
      false,
      true,
      false,
    ]);
    const one = documentOf(registered, scheduled('finv_1'), later, withdrawn('finv_1'));
    expect([pausedNow(one, 'live', atMs), pausedNow(one, 'live', Date.parse('2027-02-08T12:00:00.000Z'))]).toEqual([
      false,
      true,
    ]);
    const none = documentOf(registered, withdrawn('finv_1'));
    expect(none.pauses).toStrictEqual([]);
  });
});

describe('the reason of a pause', () => {
  const PAST = Date.parse(PAUSES_AT);
  const stop = (mode: Mode, ground: 'kyb' | 'operator') => ({ mode, ground, reason: 'r', set_at: PAUSES_AT });

  it.each<[string, readonly MerchantEvent[], readonly ReturnType<typeof stop>[], Mode, string | null]>([
    ['nothing', [], [], 'live', null],
    ['an open verification', [], [stop('live', 'kyb')], 'live', 'kyb'],
    ['a stop of the other mode', [], [stop('live', 'kyb')], 'test', null],
    ['an operator, before the verification', [], [stop('live', 'kyb'), stop('live', 'operator')], 'live', 'operator'],
    ['an overdue fee invoice', [scheduled('finv_1')], [], 'live', 'fee_invoice'],
    ['a verification, before the invoice', [scheduled('finv_1')], [stop('live', 'kyb')], 'live', 'kyb'],
    ['a fee invoice, which pauses no test mode', [scheduled('finv_1')], [], 'test', null],
    [
      'a closed account',
      [{ type: 'MerchantClosed', data: { reason: 'r' } }],
      [stop('live', 'kyb')],
      'test',
      'not_active',
    ],
  ])('is of %s', (_, events, stops, mode, reason) => {
    const merchant = documentOf(registered, ...events);
    expect(pauseOf({ merchant, killSwitch: { stops } }, mode, PAST)).toBe(reason);
    expect(isPaused({ merchant, killSwitch: { stops } }, mode, PAST)).toBe(reason !== null);
  });
});
