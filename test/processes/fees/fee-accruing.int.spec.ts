import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { HISTORIES, quote } from '../../modules/payment-intents/histories';
import { FeeStage, MERCHANT, OTHER, pi } from './fee-stage';

const EXACT: PaymentIntentEvent = {
  type: 'PaymentConfirmed',
  data: { received_base_units: quote.due_base_units, received_minor_units: '2500', surplus_base_units: null },
};
const PAID_EXACTLY = [...HISTORIES.confirming, EXACT];
const ACCEPTED_LATE: readonly PaymentIntentEvent[] = [
  ...HISTORIES.paid_late,
  { type: 'ReviewResolved', data: { resolution: 'accepted', note: 'shipped' } },
  {
    type: 'PaymentConfirmed',
    data: { received_base_units: '1', received_minor_units: '4000', surplus_base_units: null },
  },
];
/** The remainder came by itself, so nobody has accepted less. */
const PAID_IN_PARTS: readonly PaymentIntentEvent[] = [
  ...HISTORIES.underpaid,
  {
    type: 'PaymentConfirmed',
    data: { received_base_units: '27000130', received_minor_units: '2500', surplus_base_units: null },
  },
];

describe('the fee of a payment', () => {
  let stage: FeeStage;

  beforeEach(async () => {
    stage = await FeeStage.open();
  });

  it.each([
    ['confirmed', PAID_EXACTLY, '2500', '12'],
    ['confirmed in parts', PAID_IN_PARTS, '2500', '12'],
    ['overpaid', HISTORIES.overpaid, '2500', '12'],
    ['accepted while it was short', HISTORIES.confirmed, '925', '4'],
    ['accepted while it was late', ACCEPTED_LATE, '4000', '20'],
  ] as const)('that was %s is reckoned on what its merchant got for it', async (_, history, base, fee) => {
    const paid = await stage.payment(1, history);
    await stage.fees.group.handle({ event: paid, retries: 0 });
    expect(await stage.events('FeeAccrued')).toMatchObject([
      {
        stream: `live.fee_accrual-${pi(1)}`,
        data: { currency: 'EUR', reckoned_on_minor_units: base, fee_bps: 50, fee_minor_units: fee },
        metadata: {
          merchant_id: MERCHANT,
          causation_id: paid.id,
          correlation_id: 'story',
          actor: { role: 'sweeper', type: 'system', id: 'fees' },
        },
      },
    ]);
  });

  it.each(['underpaid', 'paid_late', 'expired', 'canceled', 'failed'] as const)(
    'that ended %s is none',
    async status => {
      await stage.payment(1, HISTORIES[status]);
      await stage.deliver();
      expect(await stage.events('FeeAccrued')).toEqual([]);
    },
  );

  it('is booked once, by any number of processes and messages', async () => {
    const event = await stage.payment(1, PAID_EXACTLY);
    await Promise.all(Array.from({ length: 20 }, () => stage.fees.group.handle({ event, retries: 0 })));
    await stage.deliver();
    expect(await stage.events('FeeAccrued')).toHaveLength(1);
  });

  it.each([true, false])('is booked once where the process dies in the append, written: %s', async isWritten => {
    const event = await stage.payment(1, PAID_EXACTLY);
    stage.store.killAfter({ afterAppends: 0, isWritten });
    await expect(stage.fees.group.handle({ event, retries: 0 })).rejects.toThrow('killed');
    stage.store.revive();
    expect(await stage.events('FeeAccrued')).toHaveLength(isWritten ? 1 : 0);
    await stage.deliver();
    expect(await stage.events('FeeAccrued')).toHaveLength(1);
  });

  it('has the rate of its merchant', async () => {
    const account = { ...stage.context('live', OTHER), universe: 'platform' } as const;
    await stage.fees.billing.setRate(100, account);
    await stage.payment(1, PAID_EXACTLY);
    await stage.payment(2, PAID_EXACTLY, { merchantId: OTHER });
    await stage.deliver();
    expect((await stage.events('FeeAccrued')).map(({ data }) => data.fee_minor_units)).toEqual(['12', '25']);
  });

  it('stands in the ledger of its mode and merchant alone', async () => {
    await stage.payment(1, PAID_EXACTLY, { mode: 'test' });
    await stage.payment(2, HISTORIES.confirmed, { merchantId: OTHER });
    await stage.deliver();
    expect(await stage.rows('test', MERCHANT)).toEqual(['accrual 12 EUR']);
    expect(await stage.rows('live', OTHER)).toEqual(['accrual 4 EUR']);
    expect([await stage.rows('live', MERCHANT), await stage.rows('test', OTHER)]).toEqual([[], []]);
  });
});
