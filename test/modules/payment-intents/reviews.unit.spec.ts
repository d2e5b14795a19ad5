import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { isHeld, isHoldOpen } from '../../../src/modules/payment-intents/payment-intent.holds';
import { isRejected, isReviewOpen, needsDecision } from '../../../src/modules/payment-intents/payment-intent.review';
import { evolveAll } from '../../../src/modules/payment-intents/payment-intent.state';
import { takesNoMore } from '../../../src/modules/payment-intents/payment-intent.transfers';
import { given } from '../../support/given-when-then';
import { WAITING_HISTORIES } from './waiting-histories';

const merchant = { actor: { role: 'merchant', type: 'api_key', id: 'key_1' }, now: 0 } as const;
const acceptance = { type: 'resolve', resolution: 'accepted', note: 'A regular.', standing: ['tr_1', 'tr_2'] } as const;

describe.each(WAITING_HISTORIES)('a payment that is $name', ({ events, decision, hold }) => {
  const state = evolveAll(events);

  it('waits for the decisions that are still to be taken', () => {
    expect([needsDecision(state), isHoldOpen(state)]).toStrictEqual([decision !== null, hold === 'open']);
    expect(isHeld(state)).toBe(hold !== null);
  });

  it('is accepted where it waits for a decision and no hold stops it, and nowhere else', () => {
    const outcome = given(paymentIntents, events).when(acceptance, merchant).outcome();
    expect(Array.isArray(outcome)).toBe(decision !== null && hold === null);
    if (isReviewOpen(state) && hold !== null) expect(outcome).toBe('compliance_hold');
  });

  it('is decided with a note that has an end', () => {
    if (!isReviewOpen(state) || hold !== null) return;
    for (const resolution of ['accepted', 'rejected'] as const) {
      const when = (note: string) => given(paymentIntents, events).when({ ...acceptance, resolution, note }, merchant);
      when(' ').thenRefused('invalid_resolution', 'note');
      when('x'.repeat(501)).thenRefused('parameter_invalid', 'note');
    }
  });

  it('waits for no decision, and takes no more, once its money is rejected', () => {
    if (isRejected(state)) expect([needsDecision(state), takesNoMore(state)]).toStrictEqual([false, true]);
  });
});
