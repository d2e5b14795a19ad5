import type { ActorRole } from '../../../src/kernel/event';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { unpaidRemainder } from '../../../src/modules/payment-intents/payment-intent.outcome';
import { lacksRemainder } from '../../../src/modules/payment-intents/payment-intent.settlement';
import type { QuotedPaymentIntent } from '../../../src/modules/payment-intents/payment-intent.state';
import { isClosed } from '../../../src/modules/payment-intents/payment-intent.transfers';
import { given } from '../../support/given-when-then';
import * as h from './histories';

const by = (role: ActorRole) => ({ actor: { role, type: 'system', id: 'x' } as const, now: 0 });

describe('a rejection in review', () => {
  it.each<[string, readonly PaymentIntentEvent[], readonly PaymentIntentEvent[]]>([
    ['underpaid', [...h.HISTORIES.underpaid, h.detected('tr_2', '17000120')], [h.dropped('tr_2')]],
    ['paid_late', h.HISTORIES.paid_late, [h.dropped('tr_2')]],
  ])('is refused while a transfer is short of its depth: %s', (_, history, since) => {
    const { command } = h.SCENARIOS.resolve_rejected;
    given(paymentIntents, history).when(command, by('merchant')).thenRefused('invalid_state_transition');
    given(paymentIntents, [...history, ...since])
      .when(command, by('merchant'))
      .then([h.reviewRejected]);
  });

  it('leaves nothing to ask for, to credit or to accept', () => {
    const rejected = [...h.HISTORIES.underpaid, h.reviewRejected];
    given(paymentIntents, rejected)
      .when({ type: 'accept', note: null, standing: ['tr_1'] }, by('merchant'))
      .thenRefused('payment_not_resolvable');
    given(paymentIntents, rejected)
      .when({ type: 'see_transfer', transfer: h.transfer('tr_2', '17000120') }, by('matcher'))
      .thenRefused('invalid_state_transition');
    const state = given(paymentIntents, rejected).state as QuotedPaymentIntent;
    expect([unpaidRemainder(state), isClosed(state)]).toStrictEqual([null, true]);
    const lost = [...rejected, h.dropped('tr_1')];
    expect(lacksRemainder(given(paymentIntents, lost).state as QuotedPaymentIntent)).toBe(false);
    given(paymentIntents, lost)
      .when({ type: 'ask_remainder', reserved: h.remainderAt(0n) }, by('watcher'))
      .then([]);
  });

  it('credits nothing that was on its way at a rejection of a former version', () => {
    const second = h.detected('tr_2', '17000120');
    const { underpaid, paid_late: late } = h.HISTORIES;
    given(paymentIntents, [...underpaid, second, h.reviewRejected])
      .when({ type: 'credit_remainder', ...h.committed('tr_2', 2), reserved: null }, by('matcher'))
      .then([]);
    given(paymentIntents, [...late, h.reviewRejected])
      .when({ type: 'credit_late', ...h.committed('tr_2', 2) }, by('matcher'))
      .then([]);
  });
});
