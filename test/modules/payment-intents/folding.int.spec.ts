import { fold } from '../../../src/kernel/decider';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import * as h from './histories';

describe('folding a payment', () => {
  const events = (count: number): readonly PaymentIntentEvent[] => [
    h.created,
    h.selected,
    ...Array.from({ length: count }, (_, index) => h.detected(`tr_${index}`, '1')),
    h.confirmation,
    ...Array.from({ length: count }, (_, index) => h.depth(`tr_${index}`)),
  ];

  it('comes to the same as event by event', () => {
    for (const history of [events(5), ...Object.values(h.HISTORIES)]) {
      const stepwise = history.reduce(paymentIntents.evolve, paymentIntents.initial);
      expect(fold(paymentIntents, history)).toStrictEqual(stepwise);
    }
  });

  it('changes no state that it was given', () => {
    const before = fold(paymentIntents, events(2));
    const copy = structuredClone(before);
    paymentIntents.evolve(before, h.dropped('tr_0'));
    paymentIntents.evolve(before, h.screened(h.PAYER, 'clear'));
    expect(before).toStrictEqual(copy);
  });

  it('copies the ledger for no event', () => {
    const history = events(1_000);
    const cost = (act: () => unknown): number => {
      const startedAt = process.hrtime.bigint();
      act();
      return Number(process.hrtime.bigint() - startedAt);
    };
    const copying = cost(() => history.reduce(paymentIntents.evolve, paymentIntents.initial));
    const folding = Math.min(...Array.from({ length: 3 }, () => cost(() => fold(paymentIntents, history))));
    expect(copying / folding).toBeGreaterThan(10);
  });
});
