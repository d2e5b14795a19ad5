import { isoTime } from '../../../src/kernel/clock';
import { parseStreamName } from '../../../src/kernel/event';
import type { LinkTerms } from '../../../src/modules/payment-links/payment-link.decider';
import type { VelocityLimit } from '../../../src/vocabulary/payment-limits';
import { Killed, type Kill } from '../../simulation/faulty-store';
import { ManualClock } from '../../support/manual-clock';
import { LINK, LinkFixture, NOON } from './link-fixture';

/** A use is recorded, and then its payment: the process dies before, between and after. */
const KILLS: readonly (readonly [string, Kill, uses: number])[] = [
  ['before the use is written', { afterAppends: 0, isWritten: false }, 0],
  ['as the use is written', { afterAppends: 0, isWritten: true }, 1],
  ['before the payment is written', { afterAppends: 1, isWritten: false }, 1],
  ['as the payment is written', { afterAppends: 1, isWritten: true }, 1],
];
const LATER_MS = 40_000;
const OTHERS = 250;

const LIMIT: VelocityLimit = { windowMs: 3_600_000, maxCount: 1_000, maxAmountUsdMinorUnits: 100_000_000n };
/** A long link is read once for its use, and once before that where its amount counts. */
const LIMITS: readonly (readonly [string, VelocityLimit | null, readings: number])[] = [
  ['without a limit', null, 1],
  ['with a limit of payments', LIMIT, 2],
];
/** The merchant's limit of payments in a span of time. */
let limit: VelocityLimit | null;
let fixture: LinkFixture;

async function begin(velocity: VelocityLimit | null, terms: Partial<LinkTerms> = {}): Promise<void> {
  limit = velocity;
  fixture = new LinkFixture(velocity);
  await fixture.create(terms);
}

async function assertCounted(payments: number): Promise<void> {
  expect(await fixture.counted()).toBe(limit === null ? 0 : payments);
}

/** One use and one payment, which names the link and is the one that the use names. */
async function assertOnce(): Promise<void> {
  await assertCounted(1);
  const [uses, payments] = [await fixture.uses(), await fixture.payments()];
  expect(uses.map(({ data }) => data.link.use_count)).toStrictEqual([1]);
  expect(payments.map(({ type }) => type)).toStrictEqual(['PaymentIntentCreated']);
  expect(payments.map(({ stream }) => parseStreamName(stream).id)).toStrictEqual([uses[0]?.data.payment_intent]);
  expect(payments[0]).toMatchObject({
    data: { payment_link: LINK, amount_minor_units: '2500', metadata: { order: '42' }, description: 'A ticket' },
    metadata: { actor: { role: 'api', id: 'key_1' }, causation_id: uses[0]?.id, correlation_id: 'req_1' },
  });
}

async function dieAt(kill: Kill) {
  const context = fixture.context('use');
  fixture.store.killAfter(kill);
  await expect(fixture.open(fixture.process(), context)).rejects.toThrow(Killed);
  fixture.store.revive();
  fixture.clock.timeMs += LATER_MS;
  return { ...context, now: fixture.clock.now(), isFirstTry: false };
}

/** A first use would be refused for each of these by the time of the retry. */
const OBSTACLES: readonly (readonly [string, Partial<LinkTerms>, () => unknown])[] = [
  ['no rate is known any more', {}, () => (fixture.isQuotable = false)],
  ['payments are paused', {}, () => (fixture.isPaused = true)],
  ['the link is spent', { max_uses: 1 }, () => null],
  ['the time of the link is over', { expires_at: isoTime(NOON + LATER_MS) }, () => null],
  ['the link was deactivated', {}, () => fixture.deactivate()],
];

describe.each(LIMITS)('%s', (_limit, velocity, readings) => {
  beforeEach(() => begin(velocity));

  describe.each(KILLS)('a use whose process dies %s', (_kill, kill, uses) => {
    it('is finished by the group where it was recorded, however often messages come', async () => {
      await dieAt(kill);
      await fixture.finish();
      await fixture.finish();
      expect(await fixture.uses()).toHaveLength(uses);
      expect(await fixture.payments()).toHaveLength(uses);
      if (uses > 0) await assertOnce();
    });

    it('counts once where the client tries again, before the group and after it', async () => {
      const again = await dieAt(kill);
      const { id, history } = await fixture.open(fixture.process(), again);
      await fixture.finish();
      const same = await fixture.open(fixture.process(), again);
      expect([same.id, same.history[0]?.metadata]).toStrictEqual([id, history[0]?.metadata]);
      await assertOnce();
    });

    it('counts once where the group was first', async () => {
      const again = await dieAt(kill);
      await fixture.finish();
      await fixture.open(fixture.process(), again);
      await assertOnce();
    });

    it('counts once where the retry and the group come at once', async () => {
      const again = await dieAt(kill);
      await Promise.all([
        fixture.open(fixture.process(), again),
        fixture.open(fixture.process(), again),
        fixture.finish(),
        fixture.finish(),
      ]);
      await assertOnce();
    });

    it('dies once more in the retry, and still counts once', async () => {
      const again = await dieAt(kill);
      fixture.store.killAfter({ afterAppends: 0, isWritten: true });
      await fixture.open(fixture.process(), again).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
      fixture.store.revive();
      await fixture.open(fixture.process(), again);
      await fixture.finish();
      await assertOnce();
    });
  });

  it.each([0, 60_000])('finds its use behind any number of later uses, by a clock %d ms behind', async behindMs => {
    const again = await dieAt({ afterAppends: 0, isWritten: true });
    const clock = new ManualClock(fixture.clock.timeMs - behindMs);
    const others = fixture.process(fixture.store, clock);
    const times = { now: clock.now(), startedAt: clock.now() };
    for (let index = 0; index < OTHERS; index++) await fixture.open(others, fixture.context(`other-${index}`, times));
    const { id } = await fixture.open(fixture.process(), again);
    const uses = await fixture.uses();
    expect(uses).toHaveLength(OTHERS + 1);
    expect(uses[0]?.data.payment_intent).toBe(id);
    expect(await fixture.payments()).toHaveLength(OTHERS + 1);
    expect(new Set(uses.map(({ data }) => data.payment_intent)).size).toBe(OTHERS + 1);
    await assertCounted(OTHERS + 1);
  });

  it('reads no further back than the command’s first moment', async () => {
    for (let index = 0; index < OTHERS; index++)
      await fixture.open(fixture.process(), fixture.context(`other-${index}`));
    fixture.clock.timeMs += LATER_MS;
    const reads = jest.spyOn(fixture.store, 'readStream');
    await fixture.open(fixture.process(), fixture.context('use'));
    expect(reads).toHaveBeenCalledTimes(readings);
    reads.mockRestore();
  });

  it('records nothing where no payment can be made now', async () => {
    fixture.isQuotable = false;
    await expect(fixture.open(fixture.process(), fixture.context('use'))).rejects.toMatchObject({
      code: 'currency_not_quotable',
    });
    expect(await fixture.uses()).toStrictEqual([]);
    fixture.isQuotable = true;
    await fixture.open(fixture.process(), fixture.context('use-later'));
    await assertOnce();
  });

  it('tells another merchant nothing of a link that nobody can pay any more', async () => {
    await fixture.deactivate();
    const stranger = fixture.context('use', { merchantId: 'mch_00000000000000000000000009' });
    const opened = fixture.open(fixture.process(), stranger);
    await expect(opened).rejects.toMatchObject({ code: 'resource_missing' });
  });

  it.each(OBSTACLES)('is finished although %s, since its use counts', async (_obstacle, terms, hinder) => {
    await begin(velocity, terms);
    const again = await dieAt({ afterAppends: 0, isWritten: true });
    await hinder();
    await fixture.open(fixture.process(), again);
    await assertOnce();
  });
});
