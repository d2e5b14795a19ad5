import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { STATUSES, TRANSITIONS, TRIGGERS } from '../../../src/modules/payment-intents/payment-intent.transitions';
import { given } from '../../support/given-when-then';
import { HISTORIES, SCENARIOS } from './histories';

type Asked = { readonly status: (typeof STATUSES)[number]; readonly trigger: (typeof TRIGGERS)[number] };

/** The message with which a merchant is refused; null where the call is allowed, or refused for another reason. */
function messageOf({ status, trigger }: Asked): string | null {
  const context = { actor: { role: 'merchant', type: 'api_key', id: 'key_1' } as const, now: 0 };
  const decision = given(paymentIntents, HISTORIES[status]).when(SCENARIOS[trigger].command, context);
  const outcome = decision.outcome();
  return typeof outcome === 'string' ? decision.thenRefused(outcome).message : null;
}

it.each<[Asked, string]>([
  [
    { status: 'canceled', trigger: 'cancel' },
    'A payment in canceled cannot be canceled. That is possible in created, awaiting_payment.',
  ],
  [
    { status: 'expired', trigger: 'select_method' },
    'A payment in expired cannot be given a method. That is possible in created.',
  ],
  [
    { status: 'confirmed', trigger: 'accept' },
    'A payment in confirmed cannot be accepted as paid. That is possible in underpaid.',
  ],
  [
    { status: 'overpaid', trigger: 'resolve_rejected' },
    'A payment in overpaid cannot be rejected in review. That is possible in underpaid, paid_late.',
  ],
])('a refused transition says what is allowed: %j', (asked, message) => {
  expect(messageOf(asked)).toBe(message);
});

it('no refused transition names a trigger of the code', () => {
  const messages = STATUSES.flatMap(status =>
    TRIGGERS.filter(trigger => !TRANSITIONS[status][trigger]).map(trigger => messageOf({ status, trigger }) ?? ''),
  );
  expect(messages.filter(message => message.includes('cannot')).length).toBeGreaterThan(100);
  expect(messages.filter(message => TRIGGERS.some(trigger => message.includes(`${trigger} `)))).toStrictEqual([]);
});
