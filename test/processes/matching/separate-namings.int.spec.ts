import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock';
import { namings } from '../../../src/modules/transfers/naming.decider';
import { transferId } from '../../../src/modules/transfers/transfer.decider';
import { unreadBlocks } from '../../watchers/set-aside-stage';
import { hash, MatchingFixture, pi } from './matching-fixture';

let fixture: MatchingFixture;
let due: bigint;

beforeEach(async () => {
  fixture = await new MatchingFixture().start();
  due = await fixture.payments.quoted(pi(1));
});

/** Names the transaction while no provider can be asked for it, so that the naming is filed. */
async function file(number: number, logIndex: number | null, side: 'merchant' | 'checkout' = 'merchant') {
  fixture.payments.chain.down = true;
  const filed = await fixture.name(pi(number), hash(1), side, logIndex);
  fixture.payments.chain.down = false;
  if (filed.kind !== 'filed') throw new Error('it was not filed');
  return filed;
}

/** The fate of the payment's naming of the transaction, or of the place in it; the newest event of the log tells. */
async function answerTo(number: number, logIndex: number | null): Promise<{ status?: string; refusal?: string }> {
  const { store } = fixture.payments;
  const places = logIndex === null ? [''] : [`:${logIndex}`, ''];
  for (const place of places) {
    const stream = `base:${hash(1)}${place}`;
    const { state } = await fixture.payments.writes.load(namings, 'test', stream);
    const status = state.namings[pi(number)]?.status;
    if (status === undefined) continue;
    const last = (await store.readStream(`test.naming-${stream}`)).at(-1)?.data as { refusal?: string };
    return { status, refusal: last.refusal };
  }
  return {};
}

async function statusOf(number: number, logIndex: number | null): Promise<string | undefined> {
  return (await answerTo(number, logIndex)).status;
}

async function mine(...values: readonly bigint[]): Promise<void> {
  const { chain, clock } = fixture.payments;
  chain.mine(...values.map(value => fixture.payments.transfer(hash(1), value)));
  clock.timeMs += 1_000;
  await fixture.watcher?.tick();
}

describe('two namings of one transaction for the same payment', () => {
  it('stand each by its own, where they name different transfers of it', async () => {
    const first = await file(1, 0);
    const second = await file(1, 1);
    expect(first.namingId).not.toBe(second.namingId);
    await mine(due - 50n * fixture.cent, 30n * fixture.cent);
    await fixture.handleAll();
    expect(await fixture.transferEvents(1, 0)).toContain('TransferClaimed');
    expect(await fixture.transferEvents(1, 1)).toContain('TransferClaimed');
    expect([await statusOf(1, 0), await statusOf(1, 1)]).toStrictEqual(['attributed', 'attributed']);
  });

  it('are one, where they name the same transfer; the merchant’s is not weakened by one at checkout', async () => {
    const first = await file(1, 0);
    const second = await file(1, 0, 'checkout');
    expect(second).toStrictEqual(first);
  });

  it('are one, where the merchant strengthens what was named at checkout', async () => {
    const first = await file(1, 0, 'checkout');
    const second = await file(1, 0);
    expect(second.namingId).toBe(first.namingId);
    expect(second.naming.side).toBe('merchant');
  });

  it('keep dust that either of them means', async () => {
    await file(1, 1);
    await mine(due - 50n * fixture.cent, 7n);
    expect(await fixture.transferEvents(1, 1)).toContain('TransferSeen');
  });
});

describe('a naming that is taken up late', () => {
  it('has the transfer that came within its day', async () => {
    await fixture.name(pi(1), hash(1));
    await mine(due - fixture.cent);
    fixture.payments.clock.timeMs += 25 * HOUR_MS;
    await fixture.handleAll();
    expect(await statusOf(1, null)).toBe('attributed');
    expect(await fixture.status(1)).toBe('detected');
  });

  it('has it, too, where its payment could not be decided on for more than a day', async () => {
    const { chain, clock } = fixture.payments;
    const unread = unreadBlocks(chain);
    unread.add(chain.mine().hash);
    await fixture.settle();
    chain.skipTime(HOUR_MS);
    clock.timeMs += HOUR_MS;
    await mine(due - fixture.cent);
    await fixture.name(pi(1), hash(1));
    await fixture.handleAll();
    chain.skipTime(2 * DAY_MS);
    clock.timeMs += 2 * DAY_MS;
    unread.clear();
    fixture.payments.mineEmpty(1);
    await fixture.watcher?.tick();
    await fixture.watcher?.retrySetAside();
    await fixture.payments.sweeper().sweep('quote');
    await fixture.handleAll();
    expect(await statusOf(1, null)).toBe('attributed');
  });
});

describe('a naming of a transfer that another payment has already', () => {
  const BATCH = 60;

  it('is told so, in however large a batch the transfer came', async () => {
    const other = await fixture.payments.quoted(pi(2));
    const idOf = (ordinal: number) => transferId({ network: 'base', txHash: hash(1), ordinal });
    const ordinals = Array.from({ length: BATCH }, (_, ordinal) => ordinal);
    const last = ordinals.reduce((one, each) => (idOf(each) > idOf(one) ? each : one));
    await mine(...ordinals.map(ordinal => (ordinal === last ? other : 3n * fixture.cent)));
    await fixture.handleAll();
    expect(await fixture.status(2)).toBe('detected');
    await file(1, last);
    await fixture.handleAll();
    expect(await answerTo(1, last)).toMatchObject({ status: 'refused', refusal: 'attribution_already_exists' });
  });
});

describe('a naming of a transaction that pays another address, and is another payment’s,', () => {
  it.each([
    ['as a whole', null, 'invalid_tx_hash'],
    ['by the place of the transfer', 0, 'invalid_log_index'],
  ])('is told so, where it is named %s', async (_, logIndex, refusal) => {
    await mine(due);
    await fixture.handleAll();
    expect(await fixture.status(1)).toBe('detected');
    Object.assign(fixture.payments, { address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' });
    await fixture.payments.quoted(pi(3));
    await file(3, logIndex);
    await fixture.handleAll();
    expect(await answerTo(3, logIndex)).toMatchObject({ status: 'refused', refusal });
  });
});
