import { LookUpBudget } from '../../../src/processes/matching/look-up-budget';
import { WaitingNamings, type WaitingNaming } from '../../../src/processes/matching/waiting-namings';
import { ManualClock, NOON } from '../../support/payment-fixture';

const naming = (merchantId: string, number: number, network = 'base'): WaitingNaming => ({
  mode: 'test',
  merchantId,
  namingsId: `${network}:0x${number}`,
  paymentIntent: 'pi_1',
});

describe('namings that wait for a look', () => {
  function drained(waiting: WaitingNamings, place: string): string[] {
    const order: string[] = [];
    for (let next = waiting.first(place); next !== null; next = waiting.first(place)) {
      order.push(`${next.merchantId} ${next.namingsId}`);
      waiting.remove(next);
    }
    return order;
  }

  it('have their turns between merchants, on each network by itself', () => {
    const waiting = new WaitingNamings();
    for (const number of [1, 2, 3]) waiting.put(naming('many', number));
    waiting.put(naming('one', 4));
    waiting.put(naming('many', 5, 'bnb'));
    waiting.put(naming('many', 1));
    expect(drained(waiting, 'test:base')).toStrictEqual([
      'many base:0x1',
      'one base:0x4',
      'many base:0x2',
      'many base:0x3',
    ]);
    expect(waiting.waitingPlaces).toStrictEqual(['test:bnb']);
  });

  it('are fifty of a merchant at most, and the list of all namings has the others', () => {
    const waiting = new WaitingNamings();
    expect([waiting.takeMissing(), waiting.takeMissing()]).toStrictEqual([true, false]);
    for (let number = 0; number < 50; number++) waiting.put(naming('many', number));
    expect(waiting.takeMissing()).toBe(false);
    waiting.put(naming('many', 50));
    waiting.put(naming('one', 51));
    expect([waiting.takeMissing(), waiting.takeMissing()]).toStrictEqual([true, false]);
    expect(drained(waiting, 'test:base')).toHaveLength(51);
  });
});

describe('the budget of looks', () => {
  const rate = { burst: 2, perSecond: 1, underWay: 2 };

  it('comes back with time, up to its burst, and takes from all of its parts or from none', () => {
    const clock = new ManualClock(NOON);
    const budget = new LookUpBudget(clock);
    const take = (...names: string[]) => {
      const end = budget.take(Object.fromEntries(names.map(name => [name, rate])));
      end?.();
      return end !== null;
    };
    expect([take('a'), take('a'), take('a')]).toStrictEqual([true, true, false]);
    expect([take('a', 'b'), take('b'), take('b'), take('b')]).toStrictEqual([false, true, true, false]);
    clock.timeMs += 1_000;
    expect([take('a'), take('a')]).toStrictEqual([true, false]);
    clock.timeMs += 60_000;
    expect([take('a'), take('a'), take('a')]).toStrictEqual([true, true, false]);
  });

  it('is held by what is under way', () => {
    const budget = new LookUpBudget(new ManualClock(NOON));
    const wide = { ...rate, burst: 9 };
    const [first] = [budget.take({ a: wide }), budget.take({ a: wide })];
    expect(budget.take({ a: wide })).toBeNull();
    first?.();
    expect(budget.take({ a: wide })).not.toBeNull();
  });
});
