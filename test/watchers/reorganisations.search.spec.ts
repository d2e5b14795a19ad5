import { searchSize } from '../levels/search-size';
import { DEPTHS, ORPHANS, OrphanRun, STATES, type OrphanCase } from './orphan-cases';

const LIMIT_MS = 600_000;

const CHAINS = [
  { mode: 'test', network: 'base', finalityLag: 300, isLarge: false },
  { mode: 'test', network: 'bnb', finalityLag: 2, isLarge: false },
  { mode: 'live', network: 'bnb', finalityLag: 2, isLarge: true },
  { mode: 'live', network: 'tron', finalityLag: 18, isLarge: true },
] as const;

const cases: readonly OrphanCase[] = CHAINS.flatMap(chain =>
  STATES.flatMap(state =>
    ORPHANS.flatMap(orphan => DEPTHS.map((depth): OrphanCase => ({ ...chain, state, orphan, depth }))),
  ),
);
/** So many of all depths of each state and orphan, spread evenly. */
const WANTED = searchSize('REORGANISATIONS', { small: 25, full: 500 });
const step = Math.max(1, Math.floor(cases.length / WANTED));

describe.each(CHAINS)('a reorganisation on $network, $mode mode, large: $isLarge', chain => {
  it.each(STATES)(
    'leaves no payment that was %s on a block that has left the chain, whatever becomes of its transfer',
    async state => {
      const found: string[] = [];
      for (const [index, given] of cases.entries()) {
        const isOurs = given.state === state && CHAINS.some(each => each === chain && isOf(given, each));
        if (!isOurs || index % step !== 0) continue;
        const faults = await new OrphanRun(given).run();
        if (faults.length > 0) found.push(`${given.orphan}, ${given.depth} deep: ${faults.join('; ')}`);
      }
      expect(found).toStrictEqual([]);
    },
    LIMIT_MS,
  );
});

function isOf({ mode, network, isLarge }: OrphanCase, chain: (typeof CHAINS)[number]): boolean {
  return mode === chain.mode && network === chain.network && isLarge === chain.isLarge;
}
