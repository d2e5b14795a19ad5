import { HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock';
import { systemContext } from '../../../src/kernel/command-context';
import { randomUuid } from '../../../src/kernel/entropy';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { namings } from '../../../src/modules/transfers/naming.decider';
import { MERCHANT } from '../../support/payment-fixture';
import { hash, MatchingFixture, pi } from './matching-fixture';

let fixture: MatchingFixture;
let due: bigint;

beforeEach(async () => {
  fixture = await new MatchingFixture().start();
  due = await fixture.payments.quoted(pi(1));
  // From here on nobody watches the address.
  fixture.watcher = null;
  // The sweep of the start is over.
  await fixture.looks.round();
});
afterEach(() => jest.restoreAllMocks());

function mine(valueBaseUnits: bigint): void {
  const { chain, clock } = fixture.payments;
  chain.mine(fixture.payments.transfer(hash(1), valueBaseUnits));
  clock.timeMs += 1_000;
}

async function look(): Promise<void> {
  await fixture.handleAll();
  await fixture.looks.round();
  await fixture.handleAll();
}

async function namingStatus(): Promise<string | undefined> {
  const { state } = await fixture.payments.writes.load(namings, 'test', `base:${hash(1)}`);
  return state.namings[pi(1)]?.status;
}

async function expectAfterFiveMinutes(): Promise<void> {
  expect(await namingStatus()).toBe('pending');
  fixture.payments.clock.timeMs += 5 * MINUTE_MS;
  await look();
  expect(await namingStatus()).toBe('attributed');
}

describe('a naming on a transfer that no watcher sees', () => {
  it('is looked at again where its transaction was in no block at the first look', async () => {
    await fixture.name(pi(1), hash(1));
    await look();
    mine(due - fixture.cent);
    await look();
    await expectAfterFiveMinutes();
    expect(await fixture.status(1)).toBe('detected');
  });

  it('is looked at again where its transfer was late, and the quote has ended since', async () => {
    const { chain, clock, writes, entropy } = fixture.payments;
    chain.skipTime(5 * HOUR_MS);
    clock.timeMs += 5 * HOUR_MS;
    mine(due - fixture.cent);
    await fixture.name(pi(1), hash(1));
    await look();
    const sweeper = { actor: 'sweeper', mode: 'test', merchantId: MERCHANT, now: clock.now() } as const;
    await writes.execute(paymentIntents, pi(1), { type: 'expire' }, systemContext(randomUuid(entropy), sweeper));
    await look();
    await expectAfterFiveMinutes();
  });

  it('is looked at again where its first look met a fault', async () => {
    await fixture.name(pi(1), hash(1));
    mine(due - fixture.cent);
    await fixture.handleAll();
    jest.spyOn(fixture.lookUps, 'look').mockRejectedValueOnce(new TypeError('a defect on purpose'));
    await fixture.looks.round();
    await look();
    await expectAfterFiveMinutes();
  });
});
