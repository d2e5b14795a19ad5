import { dueDeliveriesProjection } from '../../projections/due-deliveries.projection';
import { isoTime } from '../../src/kernel/clock';
import type { RecordedEvent } from '../../src/kernel/event';
import type { Universe } from '../../src/vocabulary/modes';
import type { Document } from '../../src/kernel/ports/documents';
import { applyEvents } from '../../src/kernel/projection';

const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const MERCHANT = 'mch_1';
const ID = 'evt_1:we_1';

/** A delivery's stream; each event is a second after the one before, by both clocks. */
class Stream {
  private readonly events: RecordedEvent[] = [];

  constructor(
    private readonly universe: Universe = 'live',
    private readonly aheadMs = 0,
  ) {}

  add(type: string, data: object = {}): this {
    const revision = this.events.length;
    const recordedMs = NOON + revision * 1_000;
    const metadata = {
      merchant_id: MERCHANT,
      mode: this.universe,
      occurred_at: isoTime(recordedMs + this.aheadMs),
      recorded_at: isoTime(recordedMs),
    };
    const stream = `${this.universe}.webhook_delivery-${ID}`;
    this.events.push({ type, data, stream, revision, position: revision, id: `e${revision}`, metadata } as never);
    return this;
  }

  /** Folds as the command's own mirror does, and as the runner does: one event after the other, each of them twice. */
  document() {
    const whole = applyEvents(dueDeliveriesProjection, this.events, () => null).get(ID);
    let stepped: Document<NonNullable<NonNullable<typeof whole>['body']>> | null = null;
    for (const event of this.events.flatMap(each => [each, each])) {
      const change = applyEvents(dueDeliveriesProjection, [event], () => stepped).get(ID);
      // A runner has no document to compare with once it is removed, so a repeated event is folded anew.
      if (change) stepped = change.body ? { ...change, body: change.body } : null;
    }
    return { whole: whole?.body ?? null, stepped };
  }

  get due() {
    return this.document().whole;
  }
}

const at = (second: number): string => isoTime(NOON + second * 1_000);
const failed = (next: string | null) => ['DeliveryAttemptFailed', { attempt: 1, next_attempt_at: next }] as const;

describe('what is due', () => {
  it('is the first attempt as soon as it is scheduled', () => {
    expect(new Stream().add('DeliveryScheduled').due).toStrictEqual({
      mode: 'live',
      merchant_id: MERCHANT,
      endpoint: 'we_1',
      clock: 'live',
      due_at: at(0),
      wall_due_at: at(0),
      schedule: { at: at(0), wall: at(0) },
      manual: null,
    });
  });

  it('is a retry at its time, by the merchant’s clock and by the wall’s as that clock stands', () => {
    const aheadMs = 3_600_000;
    const next = isoTime(NOON + aheadMs + 61_000);
    const due = new Stream('test', aheadMs).add('DeliveryScheduled').add(...failed(next)).due;
    expect(due).toMatchObject({ clock: `test:${MERCHANT}`, due_at: next, wall_due_at: at(61) });
  });

  it('is not put off by the time that writing took', () => {
    const due = new Stream('test', -4_000).add('DeliveryScheduled').add(...failed(at(60))).due;
    expect(due).toMatchObject({ due_at: at(60), wall_due_at: at(60) });
  });

  it.each([
    ['withheld', new Stream().add('DeliveryWithheld')],
    ['delivered', new Stream().add('DeliveryScheduled').add('DeliverySucceeded', { attempt: 1 })],
    ['spent', new Stream().add('DeliveryScheduled').add(...failed(null))],
    ['asked for and made', new Stream().add('DeliveryWithheld').add('RedeliveryRequested').add('RedeliveryFailed')],
  ])('is nothing of a delivery that is %s', (_, stream) => {
    expect(stream.document()).toStrictEqual({ whole: null, stepped: null });
  });

  it('is what was asked for by hand, from then on and until all of it is made', () => {
    const stream = new Stream().add('DeliveryWithheld').add('RedeliveryRequested').add('RedeliveryRequested');
    expect(stream.due).toMatchObject({ due_at: at(1), schedule: null, manual: { at: at(1), count: 2 } });
    expect(stream.add('RedeliveryFailed').due).toMatchObject({ due_at: at(1), manual: { count: 1 } });
    expect(stream.add('RedeliverySucceeded').due).toBeNull();
  });

  it('leaves the schedule as it is whatever is asked for by hand, and the other way round', () => {
    const stream = new Stream()
      .add('DeliveryScheduled')
      .add(...failed(at(60)))
      .add('RedeliveryRequested');
    expect(stream.due).toMatchObject({ due_at: at(2), wall_due_at: at(2), schedule: { at: at(60) } });
    expect(stream.add('DeliverySucceeded', { attempt: 2 }).due).toMatchObject({ schedule: null, manual: { count: 1 } });
    const other = new Stream()
      .add('DeliveryScheduled')
      .add(...failed(at(60)))
      .add('RedeliveryRequested');
    expect(other.add('RedeliverySucceeded').due).toMatchObject({ due_at: at(60), manual: null });
  });
});
