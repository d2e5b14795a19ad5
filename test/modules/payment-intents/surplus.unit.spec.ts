import type { ActorRole, DomainEvent } from '../../../src/kernel/event';
import type { PaymentIntentCommand } from '../../../src/modules/payment-intents/payment-intent.commands';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { given } from '../../support/given-when-then';
import * as h from './histories';

/** The data of the event by which the payment is confirmed. */
function confirmation(history: readonly PaymentIntentEvent[], command: PaymentIntentCommand, role: ActorRole) {
  const context = { actor: { role, type: 'system', id: 'x' } as const, now: 0 };
  const events: readonly DomainEvent[] = paymentIntents.decide(command, given(paymentIntents, history).state, context);
  return events.find(({ type }) => type === 'PaymentConfirmed')?.data;
}

describe('the surplus of a payment that is confirmed late', () => {
  // Due are 27.000120, of which 10 have come and 17.000130 are asked for.
  it.each([
    ['17000120', null],
    ['17000130', null],
    ['17000134', null],
    ['17000135', '15'],
    ['19000120', '2000000'],
  ])('is told where more comes than the remainder: %s, %s', (value, surplus) => {
    const history = [...h.HISTORIES.underpaid, h.detected('tr_2', value)];
    const credit = { type: 'credit_remainder', ...h.committed('tr_2', 2), reserved: null } as const;
    expect(confirmation(history, credit, 'matcher')).toMatchObject({ surplus_base_units: surplus });
  });

  it.each([
    ['27000124', null],
    ['29000120', '2000000'],
  ])('is told where the merchant accepts late money: %s, %s', (value, surplus) => {
    const late: readonly PaymentIntentEvent[] = [
      ...h.HISTORIES.expired,
      h.detected('tr_1', value),
      h.screened(h.PAYER, 'clear'),
      { type: 'PaidLate', data: { received_base_units: value, received_minor_units: '2500', transfer_id: 'tr_1' } },
    ];
    const { command } = h.SCENARIOS.resolve_accepted;
    expect(confirmation(late, command, 'merchant')).toMatchObject({ surplus_base_units: surplus });
  });
});
