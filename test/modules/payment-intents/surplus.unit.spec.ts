import type { ActorRole } from '../../../src/kernel/event';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { given } from '../../support/given-when-then';
import * as h from './histories';

const by = (role: ActorRole) => ({ actor: { role, type: 'system', id: 'x' }, now: 0 }) as const;

const amounts = (baseUnits: string, minorUnits: string) => ({
  received_base_units: baseUnits,
  received_minor_units: minorUnits,
});

const confirmed = (amount: ReturnType<typeof amounts>, surplus: string | null): PaymentIntentEvent => ({
  type: 'PaymentConfirmed',
  data: { ...amount, surplus_base_units: surplus },
});

describe('the surplus of a payment that is confirmed late', () => {
  // Due are 27.000120, of which 10 have come and 17.000130 are asked for.
  it.each([
    ['17000120', amounts('27000120', '2500'), null],
    ['17000130', amounts('27000130', '2500'), null],
    ['17000134', amounts('27000134', '2500'), null],
    ['17000135', amounts('27000135', '2500'), '15'],
    ['19000120', amounts('29000120', '2685'), '2000000'],
  ])('is told where more comes than the remainder: %s, %j, %s', (value, received, surplus) => {
    const credit = { type: 'credit_remainder', ...h.committed('tr_2', 2), reserved: null } as const;
    given(paymentIntents, [...h.HISTORIES.underpaid, h.detected('tr_2', value)])
      .when(credit, by('matcher'))
      .then([{ type: 'RemainderCredited', data: { transfer_id: 'tr_2', ...received } }, confirmed(received, surplus)]);
  });

  it.each([
    [amounts('27000124', '2500'), null],
    [amounts('29000120', '2685'), '2000000'],
  ])('is told where the merchant accepts late money: %j, %s', (received, surplus) => {
    const late: readonly PaymentIntentEvent[] = [
      ...h.HISTORIES.expired,
      h.detected('tr_1', received.received_base_units),
      h.screened(h.PAYER, 'clear'),
      { type: 'PaidLate', data: { ...received, transfer_id: 'tr_1' } },
    ];
    given(paymentIntents, late)
      .when({ type: 'resolve', resolution: 'accepted', note: 'good customer', standing: ['tr_1'] }, by('merchant'))
      .then([
        { type: 'ReviewResolved', data: { resolution: 'accepted', note: 'good customer' } },
        confirmed(received, surplus),
      ]);
  });
});
