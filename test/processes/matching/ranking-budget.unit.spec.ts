import { SECOND_MS } from '../../../src/kernel/clock';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { RankingBudget } from '../../../src/processes/matching/ranking-budget';
import { ManualClock } from '../../support/manual-clock';

let clock: ManualClock;
let budget: RankingBudget;

beforeEach(() => {
  clock = new ManualClock(1_000_000);
  budget = new RankingBudget(clock);
});

const place = (address: number) => ({ mode: 'live' as const, token: TOKENS['usdc-base'], address: String(address) });

/** The number of granted thorough rankings of one address, among so many asked for. */
function granted(address: number, asked: number): number {
  return Array.from({ length: asked }, () => budget.take(place(address))).filter(Boolean).length;
}

it('grants one address twenty, and another one after three seconds', () => {
  expect(granted(1, 100)).toBe(20);
  expect(granted(2, 1)).toBe(1);
  clock.timeMs += 3 * SECOND_MS;
  expect(granted(1, 100)).toBe(1);
});

it('grants all addresses together sixty, however many addresses there are, and four a second', () => {
  const ask = () => Array.from({ length: 3_000 }, (_, index) => granted(index, 1)).filter(count => count > 0).length;
  expect(ask()).toBe(60);
  clock.timeMs += 10 * SECOND_MS;
  expect(ask()).toBe(40);
});

it('grants no more where the clock is put back', () => {
  expect(granted(1, 100)).toBe(20);
  clock.timeMs -= 60 * SECOND_MS;
  expect(granted(1, 100)).toBe(0);
});
