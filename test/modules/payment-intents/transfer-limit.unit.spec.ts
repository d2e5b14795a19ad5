import { claimRefusal } from '../../../src/modules/payment-intents/payment-intent.claimable';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { isClosed } from '../../../src/modules/payment-intents/payment-intent.transfers';
import { given } from '../../support/given-when-then';
import * as h from './histories';

const LIMIT = 100;
const watcher = { actor: { role: 'watcher', type: 'system', id: 'x' } as const, now: 0 };
const limited: PaymentIntentEvent = { type: 'TransferLimitReached', data: { limit: LIMIT } };
const elsewhere = `0x${'ef'.repeat(32)}`;
const next = h.transfer('tr_next', '5');

/** So many transfers, of a payment that waits for them. */
function taken(count: number): readonly PaymentIntentEvent[] {
  return [h.created, h.selected, ...Array.from({ length: count }, (_, index) => h.detected(`tr_${index}`, '1'))];
}

describe('a payment of a hundred transfers', () => {
  const see = { type: 'see_transfer', transfer: next } as const;

  it('says once that it takes no more, and refuses all others', () => {
    given(paymentIntents, taken(LIMIT - 1))
      .when(see, watcher)
      .then([{ type: 'TransferDetected', data: next }]);
    given(paymentIntents, taken(LIMIT)).when(see, watcher).then([limited]);
    given(paymentIntents, [...taken(LIMIT), limited])
      .when(see, watcher)
      .thenRefused('invalid_state_transition');
  });

  it('is closed to them once that is said, as one that was decided on is from the start', () => {
    const isClosedAfter = (history: readonly PaymentIntentEvent[]) => isClosed(given(paymentIntents, history).state);
    expect([taken(LIMIT), [...taken(LIMIT), limited]].map(isClosedAfter)).toStrictEqual([false, true]);
    expect(isClosedAfter([])).toBe(false);
    const closed = Object.entries(h.HISTORIES).flatMap(([status, history]) => (isClosedAfter(history) ? [status] : []));
    expect(closed.sort()).toStrictEqual(['canceled', 'confirmed', 'failed', 'overpaid', 'paid_late']);
  });

  it('counts every move as one, and none back that was dropped', () => {
    const moved: PaymentIntentEvent = {
      type: 'TransferDetected',
      data: { ...h.transfer('tr_0', '1'), block_hash: elsewhere },
    };
    given(paymentIntents, [...taken(LIMIT - 1), moved])
      .when(see, watcher)
      .then([limited]);
    given(paymentIntents, [...taken(LIMIT), h.dropped('tr_0')])
      .when(see, watcher)
      .then([limited]);
    const again = { type: 'see_transfer', transfer: { ...h.transfer('tr_0', '1'), block_hash: elsewhere } } as const;
    given(paymentIntents, taken(LIMIT)).when(again, watcher).then([limited]);
    given(paymentIntents, taken(LIMIT))
      .when({ type: 'see_transfer', transfer: h.transfer('tr_0', '1') }, watcher)
      .then([]);
  });

  it('can be named no further transfer', () => {
    expect(claimRefusal(given(paymentIntents, taken(LIMIT - 1)).state)).toBeNull();
    expect(claimRefusal(given(paymentIntents, taken(LIMIT)).state)).toBe('invalid_state_transition');
  });
});
