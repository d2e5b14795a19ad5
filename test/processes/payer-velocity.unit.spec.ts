import { fold } from '../../src/kernel/decider';
import type { AccessReader } from '../../src/kernel/access-reader';
import type { VelocityLimitDocument } from '../../src/modules/controls/velocity-limits.read-model';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import type { QuotedPaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import { PayerVelocity } from '../../src/processes/payer-velocity';
import * as h from '../modules/payment-intents/histories';
import { ManualClock, NOON } from '../support/payment-fixture';

const LIMIT: VelocityLimitDocument = {
  subject: 'payer_address',
  ...{ window_ms: 60_000, max_count: 3, max_amount_usd_minor_units: '100' },
  ...{ is_set: true, set_at: '2026-11-01T12:00:00.000Z' },
};
const history = [...h.HISTORIES.confirming, h.detected('tr_2', '1', h.SECOND_PAYER), h.detected('tr_3', '10001')];
const state = fold(paymentIntents, history) as QuotedPaymentIntent;

function asked(document: VelocityLimitDocument | null) {
  const counted: unknown[] = [];
  const access = { read: () => Promise.resolve([document && { id: 'payer_address', version: 0, body: document }]) };
  const counts = { isOver: (...given: readonly unknown[]) => Promise.resolve((counted.push(given), true)) };
  const velocity = new PayerVelocity(access as unknown as AccessReader, counts, new ManualClock(NOON));
  return { counted, isOver: velocity.isOver({ mode: 'live' }, state, h.PAYER) };
}

it.each([null, { ...LIMIT, is_set: false }])('counts nobody without a limit: %j', async document => {
  const { counted, isOver } = asked(document);
  expect(await isOver).toBe(false);
  expect(counted).toEqual([]);
});

it('counts a payer once for the payment, and by the dollars of each transfer', async () => {
  const { counted, isOver } = asked(LIMIT);
  expect(await isOver).toBe(true);
  const limit = { windowMs: 60_000, maxCount: 3, maxAmountUsdMinorUnits: 100n };
  const payer = { mode: 'live', kind: 'payer_address', id: h.PAYER };
  expect(counted).toEqual([
    // 27.00012 and 0.010001 USDC, each rounded up to a cent.
    [limit, payer, { name: 'tr_1', amountUsdMinorUnits: 2_701n, nowMs: NOON, isFurther: false }],
    [limit, payer, { name: 'tr_3', amountUsdMinorUnits: 2n, nowMs: NOON, isFurther: true }],
  ]);
});
