import { createHash } from 'node:crypto';
import { LOOK_UP_RATES } from '../../../src/processes/matching/look-up-budget';
import { namings } from '../../../src/modules/transfers/naming.decider';
import { searchSize } from '../../levels/search-size';
import { hash, pi } from './matching-fixture';
import { NamingStorm } from './naming-storm-stage';

const SECONDS = searchSize('NAMING_STORM_SECONDS', { small: 15, full: 30 });
const PAID = hash(1);
const BIG = hash(2);

function* anyHashes(): Generator<string> {
  for (let number = 0; ; number++) yield `0x${createHash('sha256').update(String(number)).digest('hex')}`;
}

function unknownHashes(): () => string {
  const hashes = anyHashes();
  return () => hashes.next().value as string;
}

/** The seconds after which a bystander's payment was seen, and confirmed. */
async function bystander(storm: NamingStorm, next: (() => string) | null): Promise<readonly number[]> {
  const { payments } = storm.fixture;
  const due = await payments.quoted(pi(2), '3000');
  await storm.second(next);
  payments.chain.mine(payments.transfer(PAID, due));
  const seen: number[] = [];
  for (let second = 1; second <= SECONDS; second++) {
    await storm.second(next);
    const status = await storm.fixture.status(2);
    if (seen.length === 0 && status !== 'awaiting_payment') seen.push(second);
    if (seen.length === 1 && status === 'confirmed') seen.push(second);
  }
  return seen;
}

describe('sixty namings a second, of which the provider would answer twenty-five,', () => {
  it('keep nobody else’s payment from being seen and confirmed', async () => {
    const calm = await bystander(await NamingStorm.start(LOOK_UP_RATES), null);
    const storm = await NamingStorm.start(LOOK_UP_RATES);
    expect(calm).toHaveLength(2);
    expect(await bystander(storm, unknownHashes())).toStrictEqual(calm);
    expect(storm.chain.refused).toBe(0);
    expect(storm.chain.lines.lines).toStrictEqual([]);
    expect([...storm.outcomes]).toStrictEqual([['pending', 60 * (SECONDS + 1)]]);
  });

  it('ask the other network within the same budget', async () => {
    const storm = await NamingStorm.start(LOOK_UP_RATES);
    storm.chain.isLimited = false;
    const next = unknownHashes();
    for (let second = 0; second < SECONDS; second++) await storm.second(next);
    expect(storm.fixture.bnb.calls).toBeGreaterThan(0);
    expect(storm.fixture.bnb.calls).toBeLessThan(4 * SECONDS);
  });

  it('are each filed, without a line in the log for each', async () => {
    const storm = await NamingStorm.start(LOOK_UP_RATES);
    const next = unknownHashes();
    for (let second = 0; second < SECONDS; second++) await storm.second(next);
    expect([...storm.outcomes]).toStrictEqual([['pending', 60 * SECONDS]]);
    expect(storm.fixture.payments.log.lines).toStrictEqual([]);
  });

  it.each([
    ['that its watcher has yet to see, is attributed', 'attributed', false],
    ['of dust that its watcher has passed, goes to people', 'in_review', true],
  ])('lose no naming: in the end one that is made meanwhile, of a transfer %s', async (_, status, isDust) => {
    const storm = await NamingStorm.start(LOOK_UP_RATES);
    const { payments, cent } = storm.fixture;
    const due = await payments.quoted(pi(2), '3000');
    const next = unknownHashes();
    payments.chain.mine(payments.transfer(PAID, isDust ? 7n : due - 10n * cent));
    if (isDust) await storm.second(next);
    const second = storm.second(next);
    expect(await storm.name(2, PAID)).toBe('pending');
    await second;
    for (let after = 0; after < 2 * SECONDS; after++) await storm.second(after < SECONDS ? next : null);
    const { state } = await payments.writes.load(namings, 'test', `base:${PAID}`);
    expect(state.namings[pi(2)]?.status).toBe(status);
    expect(state.namings[pi(2)]?.transferId).not.toBeNull();
  });
});

describe('a transaction with a receipt of 26 MB', () => {
  it('is read a few times, however often it is named, and goes to people', async () => {
    const storm = await NamingStorm.start(LOOK_UP_RATES);
    const { payments } = storm.fixture;
    payments.chain.mine({ ...payments.transfer(BIG, 5n), contract: '0x000000000000000000000000000000000010660a' });
    storm.chain.big.add(BIG);
    for (let second = 0; second < SECONDS; second++) await storm.second(() => BIG);
    expect(storm.chain.asked.get(BIG)).toBe(1);
    expect(storm.chain.bytes).toBeLessThan(5_000_000);
    const { state } = await payments.writes.load(namings, 'test', `base:${BIG}`);
    const filed = Object.values(state.namings);
    expect(filed).toHaveLength(3);
    expect(filed).toMatchObject(filed.map(() => ({ status: 'in_review', reason: 'transaction_too_large' })));
  });
});

describe('a transfer in the queue that is named by its place', () => {
  it('is given to the payment without a question to the chain', async () => {
    const storm = await NamingStorm.start(LOOK_UP_RATES);
    const { payments, cent } = storm.fixture;
    const due = await payments.quoted(pi(2), '3000');
    payments.chain.mine(payments.transfer(PAID, due - 10n * cent));
    await storm.second(null);
    const before = storm.chain.requests;
    expect(await storm.fixture.name(pi(2), PAID, 'merchant', 0)).toMatchObject({ kind: 'attributed' });
    expect(storm.chain.requests).toBe(before);
  });
});

describe('a provider that fails for somebody’s namings', () => {
  it('is at work for the watcher all the same', async () => {
    const storm = await NamingStorm.start();
    const { payments, watcher } = storm.fixture;
    payments.clock.timeMs += 1_000;
    // As many as the provider takes in this second, and as many again.
    const next = unknownHashes();
    await Promise.all(Array.from({ length: 8 * 7 }, () => storm.name(11, next())));
    for (let burst = 0; burst < 7; burst++) {
      await Promise.all(Array.from({ length: 8 }, () => storm.name(11, next())));
    }
    expect(storm.chain.refused).toBeGreaterThan(0);
    payments.mineEmpty(1);
    await expect(watcher?.tick()).resolves.toBeUndefined();
    expect(storm.chain.lines.lines).toStrictEqual([]);
  });
});
