import { ALWAYS_TOLD, isEverTold } from '../../../src/modules/webhooks/told-types';

// Another list here needs a new version of the read model `webhook_events`, since a rebuild lists by these types.
it('tells of these events the same whatever state the payment was in', () => {
  // The selection is left out: a recipe of CONTRIBUTING.md makes a webhook type of it.
  const always = [...ALWAYS_TOLD].filter(([eventType]) => eventType !== 'MethodSelected');
  expect(Object.fromEntries(always)).toStrictEqual({
    PaymentIntentCreated: 'payment.created',
    PaymentCanceled: 'payment.canceled',
    QuoteExpired: 'payment.expired',
    PaymentFailed: 'payment.failed',
    ConfirmationSeen: 'payment.confirming',
    PaymentConfirmed: 'payment.confirmed',
    PaymentUnderpaid: 'payment.underpaid',
    PaymentOverpaid: 'payment.overpaid',
  });
});

it.each(['TransferDetected', 'PaidLate', 'HoldPlaced', 'HoldReleased', 'HoldRejected'])(
  'tells of %s by the state before',
  eventType => {
    expect([isEverTold(eventType), ALWAYS_TOLD.has(eventType)]).toEqual([true, false]);
  },
);

it.each(['DepthReached', 'RemainderReserved', 'NoSuchEvent'])('never tells of %s', eventType => {
  expect([isEverTold(eventType), ALWAYS_TOLD.has(eventType)]).toEqual([false, false]);
});
