import type { Standing } from '../../../../src/processes/webhook-delivery/dispatch/circuit';
import { afterOutcome, limitOf, UNTRIED } from '../../../../src/processes/webhook-delivery/dispatch/circuit';
import { Places } from '../../../../src/processes/webhook-delivery/dispatch/places';
import { DeliveryPauses } from '../../../../src/processes/webhook-delivery/dispatch/delivery-pauses';
import { Turns } from '../../../../src/processes/webhook-delivery/dispatch/turns';

const ALL = 128;
const DOUBTED = ALL / 4;

/** As many places as each of so many merchants gets, the one after the other. */
function fill(places: Places, merchants: number, standing: Standing): readonly number[] {
  return Array.from({ length: merchants }, (_, index) => {
    let count = 0;
    for (; places.mayTake(`mch_${standing}_${index}`, standing); count++)
      places.take(`mch_${standing}_${index}`, standing);
    return count;
  });
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

describe('places', () => {
  it.each(['prompt', 'untried', 'slow'] as const)('are left to the next one by ten merchants who are %s', standing => {
    const counts = fill(new Places(ALL), 11, standing);
    expect(counts[0]).toBeGreaterThanOrEqual(4);
    expect(counts[0]).toBeLessThanOrEqual(ALL / 5 + 1);
    if (standing !== 'slow') expect(counts[10]).toBeGreaterThanOrEqual(1);
  });

  it('are held by endpoints in doubt to a quarter at most, slow or untried, whoever owns them', () => {
    for (const first of ['slow', 'untried'] as const) {
      const places = new Places(ALL);
      const taken = sum(fill(places, 200, first)) + sum(fill(places, 200, first === 'slow' ? 'untried' : 'slow'));
      expect(taken).toBeLessThanOrEqual(DOUBTED);
      expect(places.mayTake('mch_new', 'prompt')).toBe(true);
    }
  });

  it('are kept for endpoints that were never tried, however many are slow', () => {
    const places = new Places(ALL);
    expect(sum(fill(places, 200, 'slow'))).toBe(DOUBTED / 2);
    expect(places.mayTake('mch_new', 'untried')).toBe(true);
  });

  it('count as held in doubt from the moment at which the endpoint comes into doubt', () => {
    const places = new Places(ALL);
    for (let count = 0; count < 20; count++) places.take('mch_1', 'prompt');
    places.move('mch_1', 20, 'prompt', 'slow');
    expect(places.mayTake('mch_2', 'slow')).toBe(false);
    places.move('mch_1', 20, 'slow', 'prompt');
    expect(places.mayTake('mch_2', 'slow')).toBe(true);
    for (let count = 0; count < 20; count++) places.release('mch_1', 'prompt');
    expect(() => places.release('mch_1', 'prompt')).toThrow('a place is released once');
  });
});

describe('turns', () => {
  type Line = { readonly merchantId: string; readonly name: string };
  const line = (merchantId: string, name: string): Line => ({ merchantId, name });
  const anyone = (): boolean => true;

  it('go from merchant to merchant, and within each from endpoint to endpoint', () => {
    const turns = new Turns<Line>();
    const lines = [line('a', 'a1'), line('a', 'a2'), line('a', 'a3'), line('b', 'b1'), line('c', 'c1')];
    for (const each of lines) turns.add(each);
    const served: string[] = [];
    for (let count = 0; count < 9; count++) {
      const next = turns.take(anyone);
      if (!next) throw new Error('somebody waits');
      served.push(next.name);
      turns.add(next);
    }
    expect(served).toStrictEqual(['a1', 'b1', 'c1', 'a2', 'b1', 'c1', 'a3', 'b1', 'c1']);
  });

  it('pass over a merchant who may not be served, and leave that one first', () => {
    const turns = new Turns<Line>();
    for (const each of [line('a', 'a1'), line('b', 'b1')]) turns.add(each);
    expect(turns.take(merchantId => merchantId !== 'a')?.name).toBe('b1');
    expect(turns.take(merchantId => merchantId !== 'a')).toBeNull();
    expect(turns.take(anyone)?.name).toBe('a1');
    expect(turns.take(anyone)).toBeNull();
  });

  it('are lost by whoever is removed', () => {
    const turns = new Turns<Line>();
    const [one, other] = [line('a', 'a1'), line('a', 'a2')];
    for (const each of [one, other]) turns.add(each);
    turns.remove(one);
    expect(turns.take(anyone)).toBe(other);
    turns.remove(other);
    expect(turns.take(anyone)).toBeNull();
  });
});

describe('a circuit', () => {
  const outcome = (error: string | null, latencyMs: number) => {
    return { statusCode: error === null ? 500 : null, error, latencyMs, responseExcerpt: '' };
  };

  it('gives one place to an endpoint that timed out, until it answers, whatever it answers', () => {
    const once = afterOutcome(UNTRIED, outcome('timeout', 10_000));
    const twice = afterOutcome(once, outcome('timeout', 10_000));
    expect([UNTRIED, once, twice].map(limitOf)).toStrictEqual([4, 1, 1]);
    expect(twice).toStrictEqual({ standing: 'slow', timeouts: 2 });
    const answered = afterOutcome(twice, outcome(null, 80));
    expect([answered, limitOf(answered)]).toStrictEqual([{ standing: 'prompt', timeouts: 0 }, 4]);
  });

  it('tells a slow answer from a prompt one, and a refused connection is prompt', () => {
    expect(afterOutcome(UNTRIED, outcome(null, 2_000)).standing).toBe('prompt');
    expect(afterOutcome(UNTRIED, outcome(null, 2_001))).toStrictEqual({ standing: 'slow', timeouts: 0 });
    expect(afterOutcome(UNTRIED, outcome('connection_failed', 3)).standing).toBe('prompt');
  });
});

describe('a pause of a delivery that failed by a fault', () => {
  it('doubles up to a minute, and begins anew once the delivery went well', () => {
    const paused = new DeliveryPauses();
    const pauses = Array.from({ length: 9 }, () => paused.add('a', 0));
    expect(pauses).toStrictEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map(seconds => seconds * 1_000));
    expect([paused.has('a', 59_999), paused.has('a', 60_000), paused.has('b', 0)]).toStrictEqual([true, false, false]);
    paused.forget('a');
    expect(paused.add('a', 0)).toBe(1_000);
  });

  it('is forgotten, the oldest first, beyond its bound', () => {
    const paused = new DeliveryPauses();
    for (let count = 0; count <= 10_000; count++) paused.add(`d${count}`, 0);
    expect([paused.has('d0', 0), paused.has('d1', 0), paused.has('d10000', 0)]).toStrictEqual([false, true, true]);
  });
});
