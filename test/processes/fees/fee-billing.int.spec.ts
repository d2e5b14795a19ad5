import { DAY_MS, isoTime } from '../../../src/kernel/clock';
import { merchants } from '../../../src/modules/merchants/merchant.decider';
import { HISTORIES } from '../../modules/payment-intents/histories';
import { FeeStage, MERCHANT, NOON, OTHER, pi } from './fee-stage';

/** The appends of an invoicing, and of a payment. */
const INVOICING = [0, 1, 2];
const PAYING = [0, 1];
const DUE = isoTime(NOON + 30 * DAY_MS);
const PAUSES_AT = isoTime(NOON + 44 * DAY_MS);

let stage: FeeStage;

/** Two overpaid payments of 25 euros: fees of 12 cents each. */
beforeEach(async () => {
  stage = await FeeStage.open();
  await stage.payment(1, HISTORIES.overpaid);
  await stage.payment(2, HISTORIES.overpaid);
  await stage.deliver();
});

const pausesOf = async () => {
  const { state } = await stage.core.writes.load(merchants, 'platform', MERCHANT);
  return state.status === 'none' ? null : state.pauses;
};
const adjustment = { currency: 'EUR', amountMinorUnits: -5n, paymentIntent: pi(1), memo: 'a gift' };

describe('an adjustment', () => {
  it('is a further row, and needs a merchant and a payment of the same merchant and mode', async () => {
    await stage.fees.billing.adjust(adjustment, stage.context('live'));
    expect(await stage.rows()).toEqual(['accrual 12 EUR', 'accrual 12 EUR', 'adjustment -5 EUR']);
    const code = (refused: Promise<unknown>) => expect(refused).rejects;
    await code(stage.fees.billing.adjust(adjustment, stage.context('live', OTHER))).toMatchObject({
      code: 'payment_not_found',
    });
    await code(stage.fees.billing.adjust(adjustment, stage.context('test'))).toMatchObject({
      code: 'payment_not_found',
    });
    const nobody = stage.context('live', 'mch_00000000000000000000000009');
    await code(stage.fees.billing.adjust(adjustment, nobody)).toMatchObject({ code: 'merchant_not_found' });
  });

  it('is made once by a command that is run again', async () => {
    const context = stage.context('live');
    const first = await stage.fees.billing.adjust(adjustment, context);
    expect(await stage.fees.billing.adjust(adjustment, context)).toEqual(first);
    expect(await stage.events('FeeAdjusted')).toHaveLength(1);
  });
});

describe('a fee invoice', () => {
  it('asks for accruals and adjustments since the last one, and pauses live mode after its term', async () => {
    const { billing } = stage.fees;
    await billing.adjust(adjustment, stage.context('live'));
    const { id, state } = await billing.invoice('EUR', stage.live());
    expect(state).toEqual({
      status: 'open',
      facts: { number: 'FEE-00000001-000001', currency: 'EUR', amount_minor_units: '19', due_at: DUE },
    });
    expect(await pausesOf()).toEqual({ [id]: 'scheduled' });
    expect(await stage.events('PauseScheduled')).toMatchObject([{ data: { fee_invoice: id, pauses_at: PAUSES_AT } }]);
    await expect(billing.invoice('EUR', stage.live())).rejects.toMatchObject({ code: 'nothing_outstanding' });
    await stage.payment(3, HISTORIES.overpaid);
    await stage.deliver();
    expect((await billing.invoice('EUR', stage.live())).state.facts).toMatchObject({
      number: 'FEE-00000001-000002',
      amount_minor_units: '12',
    });
    await billing.pay(id, 'Bank 17', stage.live());
    expect(await stage.rows()).toEqual([
      'accrual 12 EUR', 'accrual 12 EUR', 'adjustment -5 EUR', 'invoice -19 EUR', 'accrual 12 EUR', 'invoice -12 EUR',
      'payment -19 EUR',
    ]); // prettier-ignore
  });

  it('is refused in a currency without fees, of another merchant, and of fees of test mode', async () => {
    await stage.payment(4, HISTORIES.overpaid, { mode: 'test', merchantId: OTHER });
    await stage.deliver();
    for (const refused of [
      stage.fees.billing.invoice('USD', stage.live()),
      stage.fees.billing.invoice('EUR', stage.live(OTHER)),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'nothing_outstanding' });
    const nobody = stage.live('mch_00000000000000000000000009');
    await expect(stage.fees.billing.invoice('EUR', nobody)).rejects.toMatchObject({ code: 'merchant_not_found' });
    expect(await stage.events('FeeInvoiced')).toEqual([]);
  });

  it.each(INVOICING.flatMap(afterAppends => [true, false].map(isWritten => ({ afterAppends, isWritten }))))(
    'is made whole, and once, where the process dies: %j',
    async kill => {
      const context = stage.live();
      stage.store.killAfter(kill);
      await expect(stage.fees.billing.invoice('EUR', context)).rejects.toThrow('killed');
      stage.store.revive();
      await stage.deliver();
      const isRecorded = kill.afterAppends > 0 || kill.isWritten;
      for (const type of ['FeeInvoiced', 'FeeInvoiceIssued', 'PauseScheduled'])
        expect(await stage.events(type)).toHaveLength(isRecorded ? 1 : 0);
      const { id, state } = await stage.fees.billing.invoice('EUR', context);
      expect([state.status, state.facts.amount_minor_units]).toEqual(['open', '24']);
      await stage.deliver();
      for (const type of ['FeeInvoiced', 'FeeInvoiceIssued', 'PauseScheduled'])
        expect(await stage.events(type)).toHaveLength(1);
      expect(await pausesOf()).toEqual({ [id]: 'scheduled' });
    },
  );

  it('is found by its command also where the account has forgotten it', async () => {
    const context = stage.live();
    const { id } = await stage.fees.billing.invoice('EUR', context);
    for (let count = 0; count < 101; count++) await stage.fees.billing.adjust(adjustment, stage.context('live'));
    await stage.fees.billing.adjust({ ...adjustment, amountMinorUnits: 1_000n }, stage.context('live'));
    expect((await stage.fees.billing.invoice('EUR', context)).id).toBe(id);
    expect(await stage.events('FeeInvoiced')).toHaveLength(1);
  });
});

describe('the payment of a fee invoice', () => {
  let id: string;

  beforeEach(async () => {
    ({ id } = await stage.fees.billing.invoice('EUR', stage.live()));
  });

  it.each(PAYING.flatMap(afterAppends => [true, false].map(isWritten => ({ afterAppends, isWritten }))))(
    'withdraws the pause, once, where the process dies: %j',
    async kill => {
      stage.store.killAfter(kill);
      await expect(stage.fees.billing.pay(id, 'Bank 17', stage.live())).rejects.toThrow('killed');
      stage.store.revive();
      await stage.deliver();
      const isPaid = kill.afterAppends > 0 || kill.isWritten;
      expect(await pausesOf()).toEqual({ [id]: isPaid ? 'withdrawn' : 'scheduled' });
      await stage.fees.billing.pay(id, 'Bank 17', stage.live());
      await stage.deliver();
      expect(await pausesOf()).toEqual({ [id]: 'withdrawn' });
      expect(await stage.events('FeeInvoicePaid')).toHaveLength(1);
      expect(await stage.events('PauseWithdrawn')).toHaveLength(1);
    },
  );

  it('is for the merchant of the fee invoice, and for one that there is', async () => {
    expect(await stage.fees.billing.ownerOf(id)).toBe(MERCHANT);
    await expect(stage.fees.billing.pay(id, 'Bank 17', stage.live(OTHER))).rejects.toMatchObject({
      code: 'resource_missing',
    });
    for (const unknown of ['finv_00000000000000000000000000', 'nonsense'])
      await expect(stage.fees.billing.ownerOf(unknown)).rejects.toMatchObject({ code: 'resource_missing' });
  });
});
