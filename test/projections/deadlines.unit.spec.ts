import { deadlinesProjection } from '../../projections/deadlines.projection';
import { isoTime } from '../../src/kernel/clock';
import type { RecordedEvent } from '../../src/kernel/event';
import type { Universe } from '../../src/vocabulary/modes';
import { applyEvents } from '../../src/kernel/projection';

const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const DUE = NOON + 900_000;
const MERCHANT = 'mch_00000000000000000000000000';

type Facts = {
  readonly universe?: Universe;
  readonly category?: string;
  readonly id?: string;
  readonly aheadMs?: number;
};

let position = 0;

function event(type: string, data: object, facts: Facts = {}): RecordedEvent {
  const { universe = 'test', category = 'payment_intent', id = 'pi_1', aheadMs = 0 } = facts;
  const metadata = {
    merchant_id: MERCHANT,
    mode: universe,
    occurred_at: isoTime(NOON + aheadMs),
    recorded_at: isoTime(NOON),
  };
  position += 1;
  const place = { id: `event-${position}`, stream: `${universe}.${category}-${id}`, revision: 0, position };
  return { ...place, type, data, metadata } as unknown as RecordedEvent;
}

const selected = (facts?: Facts): RecordedEvent =>
  event('MethodSelected', { quote_expires_at: isoTime(DUE), network_id: 'base' }, facts);

/** The one document that is left; each event is delivered twice. */
function project(...events: readonly RecordedEvent[]) {
  const twice = events.flatMap(each => [each, each]);
  const [change] = applyEvents(deadlinesProjection, twice, () => null).values();
  return change?.body ?? null;
}

describe('a deadline', () => {
  it('falls due by the clock of its merchant, and by the wall’s as that clock stands', () => {
    const aheadMs = 86_400_000;
    expect(project(selected({ aheadMs }))).toStrictEqual({
      clock: `test:${MERCHANT}`,
      kind: 'quote',
      due_at: isoTime(DUE),
      wall_due_at: isoTime(DUE - aheadMs),
      network_id: 'base',
      mode: 'test',
      subject: 'pi_1',
      payment_intent: 'pi_1',
      merchant_id: MERCHANT,
    });
  });

  it('is not put off by the time that writing took', () => {
    expect(project(selected({ aheadMs: -4_000 }))).toMatchObject({ wall_due_at: isoTime(DUE) });
  });

  it('of live mode is by the one clock', () => {
    expect(project(selected({ universe: 'live', aheadMs: -4_000 }))).toMatchObject({
      clock: 'live',
      due_at: isoTime(DUE),
      wall_due_at: isoTime(DUE),
    });
  });

  it('of a reserved amount waits for its network', () => {
    const slot = { category: 'amount_slot', id: 'tron:TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA:usdt-tron:2701297' };
    const reserved = event('AmountReserved', { payment_intent: 'pi_2', reserved_until: isoTime(DUE) }, slot);
    expect(project(reserved)).toMatchObject({
      kind: 'reservation',
      network_id: 'tron',
      subject: slot.id,
      payment_intent: 'pi_2',
    });
    expect(project(reserved, event('AmountReleased', {}, slot))).toBeNull();
  });

  it.each(['TransferDetected', 'PaymentCanceled', 'QuoteExpired'])('of a quote is met by %s', type => {
    expect(project(selected(), event(type, {}))).toBeNull();
  });
});
