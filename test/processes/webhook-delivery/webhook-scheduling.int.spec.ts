import type { RecordedEvent } from '../../../src/kernel/event';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { ALWAYS_TOLD } from '../../../src/modules/webhooks/told-types';
import { webhookEventId } from '../../../src/modules/webhooks/webhook-event';
import { confirmation, detected, remainder, selected } from '../../modules/payment-intents/histories';
import { NOON, PAYMENT, PAYMENT_CREATED, paymentAsOf, WebhookFixture } from './webhook-fixture';

const CONFIRMED: PaymentIntentEvent = {
  type: 'PaymentConfirmed',
  data: { received_base_units: '27000120', received_minor_units: '2500', surplus_base_units: null },
};
const HELD: PaymentIntentEvent = {
  type: 'HoldPlaced',
  data: { payer: 'p', source: 'administrator', reason: 'listed' },
};
const REJECTED: PaymentIntentEvent = {
  type: 'HoldRejected',
  data: { reason: 'listed', proposed_by: 'adm_1', approved_by: 'adm_2' },
};

const RELEASED: PaymentIntentEvent = {
  type: 'HoldReleased',
  data: { reason: 'a namesake', proposed_by: 'adm_1', approved_by: 'adm_2' },
};
const UNDERPAID: PaymentIntentEvent = {
  type: 'PaymentUnderpaid',
  data: { received_base_units: '10000000', received_minor_units: '925', remainder },
};

async function scheduledTypes(fixture: WebhookFixture, events: readonly RecordedEvent[], endpointId: string) {
  const types: unknown[] = [];
  for (const event of events) {
    const [opening] = await fixture.history(event, endpointId);
    types.push(opening ? (opening.data as { event_type: string }).event_type : null);
  }
  return types;
}

describe('WebhookScheduling', () => {
  it('opens a delivery for each transition into a state that has a type, and for nothing else', async () => {
    const fixture = new WebhookFixture();
    const endpoint = await fixture.endpoint();
    const events = await fixture.payment(
      PAYMENT_CREATED,
      selected,
      detected('tr_1', '27000120'),
      detected('tr_2', '5'),
      confirmation,
      CONFIRMED,
    );
    await fixture.schedule(events);
    expect(await scheduledTypes(fixture, events, endpoint.id)).toEqual([
      'payment.created',
      null,
      'payment.detected',
      null,
      'payment.confirming',
      'payment.confirmed',
    ]);
  });

  it.each<[string, PaymentIntentEvent[], string[]]>([
    ['released', [HELD, RELEASED, CONFIRMED], ['payment.confirming', 'payment.confirming', 'payment.confirmed']],
    ['rejected', [HELD, REJECTED], ['payment.confirming', 'payment.failed']],
    [
      'rejected in a review',
      [UNDERPAID, HELD, REJECTED],
      ['payment.underpaid', 'payment.underpaid', 'payment.underpaid'],
    ],
  ])('tells of a hold that is placed and %s, once more by the state that stays', async (_, changes, told) => {
    const fixture = new WebhookFixture();
    const endpoint = await fixture.endpoint();
    const before = [PAYMENT_CREATED, selected, detected('tr_1', '1'), confirmation];
    const events = await fixture.payment(...before, ...changes);
    await fixture.schedule(events);
    expect((await scheduledTypes(fixture, events, endpoint.id)).slice(before.length)).toEqual(told);
  });

  it('tells a rejection that ends the payment as its failure', async () => {
    const fixture = new WebhookFixture();
    const endpoint = await fixture.endpoint(['payment.failed']);
    const before = [PAYMENT_CREATED, selected, detected('tr_1', '1'), confirmation, HELD, REJECTED];
    const events = await fixture.payment(...before);
    await fixture.schedule(events);
    expect(await scheduledTypes(fixture, events, endpoint.id)).toEqual([
      null,
      null,
      null,
      null,
      null,
      'payment.failed',
    ]);
  });

  it('reads a payment’s history once for an event, and keeps the payment of each that is told once', async () => {
    let bodies = 0;
    const fixture = new WebhookFixture((history, version) => {
      bodies += 1;
      return paymentAsOf(history, version);
    });
    const endpoint = await fixture.endpoint();
    const events = await fixture.payment(PAYMENT_CREATED, selected, detected('tr_1', '27000120'), confirmation);
    const { readStream } = fixture.store;
    let reads = 0;
    fixture.store.readStream = (stream, options) => {
      if (stream.includes('.payment_intent-')) reads += 1;
      return readStream.call(fixture.store, stream, options);
    };
    await fixture.schedule(events);
    const told = (await scheduledTypes(fixture, events, endpoint.id)).filter(type => type !== null).length;
    expect(told).toBeGreaterThan(2);
    expect(bodies).toBe(told);
    expect(reads).toBeLessThanOrEqual(told);
  });

  it('keeps with a delivery what its body follows from', async () => {
    const fixture = new WebhookFixture();
    const { source, endpoint } = await fixture.scheduled();
    const history = await fixture.history(source, endpoint.id);
    expect(history.map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'DeliveryScheduled',
        data: { event_type: 'payment.created', payment_intent: PAYMENT, payment_revision: 0, created: NOON / 1_000 },
      },
    ]);
    expect(history[0]?.metadata).toMatchObject({
      merchant_id: source.metadata.merchant_id,
      causation_id: source.id,
      correlation_id: source.metadata.correlation_id,
    });
  });

  describe('records as unheard', () => {
    const unheard = async (fixture: WebhookFixture, source: RecordedEvent) =>
      (await fixture.store.readStream(`test.unheard_webhook-${webhookEventId(source)}`)).map(({ type, data }) => ({
        type,
        data,
      }));
    /** The payment's state before decides whether endpoints are told of it. */
    const sighted = async (fixture: WebhookFixture) => {
      const events = await fixture.payment(PAYMENT_CREATED, selected, detected('tr_1', '1'));
      return events.at(-1) as RecordedEvent;
    };

    it('an event that no endpoint wanted, in one append and by one reading of its payment', async () => {
      const fixture = new WebhookFixture();
      const source = await sighted(fixture);
      const appends = jest.spyOn(fixture.store, 'append');
      const reads = jest.spyOn(fixture.store, 'readStream');
      const keeps = jest.spyOn(fixture.payments, 'keep');
      await fixture.schedule([source]);
      expect([appends, reads, keeps].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
      const facts = { payment_intent: PAYMENT, payment_revision: 2, created: NOON / 1_000 };
      const data = { event_type: 'payment.detected', ...facts };
      expect(await unheard(fixture, source)).toEqual([{ type: 'WebhookUnheard', data }]);
    });

    it('no event whose type alone tells, for which it appends nothing', async () => {
      const fixture = new WebhookFixture();
      const changes = [PAYMENT_CREATED, selected, detected('tr_1', '1'), confirmation, CONFIRMED];
      const surelyTold = (await fixture.payment(...changes)).filter(({ type }) => ALWAYS_TOLD.has(type));
      const appends = jest.spyOn(fixture.store, 'append');
      await fixture.schedule(surelyTold);
      expect(surelyTold.length).toBeGreaterThan(2);
      expect(appends).not.toHaveBeenCalled();
    });

    it('each such event that endpoints can be told of, and nothing else', async () => {
      const fixture = new WebhookFixture();
      const endpoint = await fixture.endpoint(['payment.confirmed']);
      const changes = [PAYMENT_CREATED, selected, detected('tr_1', '1'), detected('tr_2', '1'), confirmation, HELD];
      const events = await fixture.payment(...changes, RELEASED, CONFIRMED);
      await fixture.schedule(events);
      const types = await Promise.all(events.map(async event => (await unheard(fixture, event))[0]?.data.event_type));
      const [none, held] = [undefined, 'payment.confirming'];
      expect(types).toEqual([none, none, 'payment.detected', none, none, held, held, none]);
      expect(await scheduledTypes(fixture, events, endpoint.id)).toContain('payment.confirmed');
    });

    it('an event once, however often its message comes', async () => {
      const fixture = new WebhookFixture();
      const source = await sighted(fixture);
      await Promise.all([1, 2, 3].map(() => fixture.schedule([source])));
      expect(await unheard(fixture, source)).toHaveLength(1);
    });

    it('an event whose first record failed, as its message comes again', async () => {
      const fixture = new WebhookFixture();
      const source = await sighted(fixture);
      jest.spyOn(fixture.store, 'append').mockRejectedValueOnce(new Error('killed'));
      await expect(fixture.schedule([source])).rejects.toThrow('killed');
      await fixture.schedule([source]);
      expect(await unheard(fixture, source)).toHaveLength(1);
    });

    it('no event that an endpoint wanted, though its delivery could not be opened', async () => {
      const fixture = new WebhookFixture();
      const endpoint = await fixture.endpoint();
      await fixture.endpoint(['payment.failed']);
      const source = await sighted(fixture);
      jest.spyOn(fixture.store, 'append').mockRejectedValueOnce(new Error('killed'));
      await expect(fixture.schedule([source])).rejects.toThrow('killed');
      expect(await unheard(fixture, source)).toEqual([]);
      await fixture.schedule([source]);
      expect(await fixture.types(source, endpoint.id)).toEqual(['DeliveryScheduled']);
      expect(await unheard(fixture, source)).toEqual([]);
    });
  });

  it('does nothing when a message comes twice, also at once', async () => {
    const fixture = new WebhookFixture();
    const { source, endpoint } = await fixture.scheduled();
    await Promise.all([1, 2, 3].map(() => fixture.schedule([source])));
    expect(await fixture.types(source, endpoint.id)).toEqual(['DeliveryScheduled']);
  });

  it('leaves out endpoints that want another type, came later, or are of another merchant or mode', async () => {
    const fixture = new WebhookFixture();
    const other = await fixture.endpoint(['payment.confirmed', 'refund.created']);
    const strange = await fixture.endpoint(['*'], fixture.context('mch_00000000000000000000000009'));
    const live = await fixture.endpoint(['*'], { ...fixture.context(), universe: 'live' });
    const [source] = (await fixture.payment(PAYMENT_CREATED)) as [RecordedEvent];
    // The clock runs behind.
    fixture.clock.timeMs -= 1;
    const late = await fixture.endpoint();
    await fixture.schedule([source]);
    for (const { id } of [other, strange, live, late]) expect(await fixture.types(source, id)).toEqual([]);
  });

  it('goes by the log where the clock of whoever made the endpoint runs ahead', async () => {
    const fixture = new WebhookFixture();
    fixture.clock.timeMs += 2_000;
    const endpoint = await fixture.endpoint();
    fixture.clock.timeMs -= 2_000;
    const [source] = (await fixture.payment(PAYMENT_CREATED)) as [RecordedEvent];
    await fixture.schedule([source]);
    expect(await fixture.types(source, endpoint.id)).toEqual(['DeliveryScheduled']);
  });

  it('withholds from an endpoint that is disabled, so that the event counts as undelivered for it', async () => {
    const fixture = new WebhookFixture();
    const [open, closed] = [await fixture.endpoint(), await fixture.endpoint()];
    await fixture.setStatus(closed.id, 'disabled');
    const [source] = (await fixture.payment(PAYMENT_CREATED)) as [RecordedEvent];
    await fixture.schedule([source]);
    expect(await fixture.types(source, open.id)).toEqual(['DeliveryScheduled']);
    expect(await fixture.types(source, closed.id)).toEqual(['DeliveryWithheld']);
  });

  it('sends to an endpoint that was disabled, or disabled and enabled again, while the message waited', async () => {
    const fixture = new WebhookFixture();
    const [disabled, enabledAgain] = [await fixture.endpoint(), await fixture.endpoint()];
    const [source] = (await fixture.payment(PAYMENT_CREATED)) as [RecordedEvent];
    await fixture.setStatus(disabled.id, 'disabled');
    await fixture.setStatus(enabledAgain.id, 'disabled');
    await fixture.setStatus(enabledAgain.id, 'enabled');
    await fixture.schedule([source]);
    expect(await fixture.types(source, disabled.id)).toEqual(['DeliveryScheduled']);
    expect(await fixture.types(source, enabledAgain.id)).toEqual(['DeliveryScheduled']);
  });

  it('withholds from an endpoint that was disabled as the event arose, though it is enabled by now', async () => {
    const fixture = new WebhookFixture();
    const endpoint = await fixture.endpoint();
    await fixture.setStatus(endpoint.id, 'disabled');
    const [source] = (await fixture.payment(PAYMENT_CREATED)) as [RecordedEvent];
    await fixture.setStatus(endpoint.id, 'enabled');
    await fixture.schedule([source]);
    expect(await fixture.types(source, endpoint.id)).toEqual(['DeliveryWithheld']);
  });

  it('goes by the types that an endpoint wanted as the event arose', async () => {
    const fixture = new WebhookFixture();
    const [wanted, unwanted] = [await fixture.endpoint(['*']), await fixture.endpoint(['payment.failed'])];
    const [source] = (await fixture.payment(PAYMENT_CREATED)) as [RecordedEvent];
    await fixture.subscribe(wanted.id, ['payment.failed']);
    await fixture.subscribe(unwanted.id, ['*']);
    await fixture.schedule([source]);
    expect(await fixture.types(source, wanted.id)).toEqual(['DeliveryScheduled']);
    expect(await fixture.types(source, unwanted.id)).toEqual([]);
  });

  it('judges each of several events by its own moment, in whatever order they come', async () => {
    const fixture = new WebhookFixture();
    const endpoint = await fixture.endpoint();
    const [created] = (await fixture.payment(PAYMENT_CREATED)) as [RecordedEvent];
    await fixture.setStatus(endpoint.id, 'disabled');
    const [canceled] = (await fixture.payment({ type: 'PaymentCanceled', data: {} })) as [RecordedEvent];
    await fixture.schedule([canceled]);
    await fixture.setStatus(endpoint.id, 'enabled');
    await fixture.schedule([created]);
    expect(await fixture.types(canceled, endpoint.id)).toEqual(['DeliveryWithheld']);
    expect(await fixture.types(created, endpoint.id)).toEqual(['DeliveryScheduled']);
  });

  it('gives an event one id for all endpoints, which sorts by time', async () => {
    const fixture = new WebhookFixture();
    const [first] = (await fixture.payment(PAYMENT_CREATED)) as [RecordedEvent];
    fixture.clock.timeMs += 1_000;
    const [second] = (await fixture.payment({ type: 'PaymentCanceled', data: {} })) as [RecordedEvent];
    expect(webhookEventId(first)).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(webhookEventId(first) < webhookEventId(second)).toBe(true);
  });
});
