import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock';
import { NOON } from '../../support/payment-fixture';
import { merchantOf } from '../due-on-disk';
import { SweeperStage } from './sweeper-stage';

let stage: SweeperStage;
beforeEach(() => {
  stage = new SweeperStage();
});
afterEach(() => stage.close());

describe('a sweep', () => {
  const [ahead, other] = [merchantOf(1), merchantOf(2)];

  it('meets what is due by the wall where clocks were not advanced', async () => {
    await stage.wait(
      { id: 'due', merchantId: other, dueMs: NOON },
      { id: 'not yet', merchantId: other, dueMs: NOON + 1 },
      { id: 'live', merchantId: other, dueMs: NOON, mode: 'live' },
    );
    expect(await stage.round()).toStrictEqual(['due', 'live']);
    stage.clock.timeMs += 1;
    expect(await stage.round()).toStrictEqual(['not yet']);
  });

  it('meets what an advance has made due, of that clock alone and in test mode alone', async () => {
    await stage.wait(
      { id: 'due', merchantId: ahead, dueMs: NOON + HOUR_MS },
      { id: 'later', merchantId: ahead, dueMs: NOON + HOUR_MS + MINUTE_MS },
      { id: 'of another', merchantId: other, dueMs: NOON + HOUR_MS },
      { id: 'live', merchantId: ahead, dueMs: NOON + HOUR_MS, mode: 'live' },
    );
    expect(await stage.round()).toStrictEqual([]);
    await stage.advance(ahead, HOUR_MS);
    expect(await stage.round()).toStrictEqual(['due']);
    expect(await stage.round()).toStrictEqual([]);
  });

  it('goes on by an advanced clock as it ticks', async () => {
    await stage.wait({ id: 'old', merchantId: ahead, dueMs: NOON + HOUR_MS + MINUTE_MS });
    await stage.advance(ahead, HOUR_MS);
    await stage.wait({ id: 'new', merchantId: ahead, dueMs: NOON + HOUR_MS + 2 * MINUTE_MS });
    expect(await stage.round()).toStrictEqual([]);
    stage.clock.timeMs += MINUTE_MS - 1;
    expect(await stage.round()).toStrictEqual([]);
    stage.clock.timeMs += 1;
    expect(await stage.round()).toStrictEqual(['old']);
    stage.clock.timeMs += MINUTE_MS;
    expect(await stage.round()).toStrictEqual(['new']);
  });

  it('sees every further advance, also of another instance and within the same moment', async () => {
    await stage.wait(
      { id: 'first', merchantId: ahead, dueMs: NOON + HOUR_MS },
      { id: 'second', merchantId: ahead, dueMs: NOON + 2 * HOUR_MS },
    );
    await stage.advance(ahead, HOUR_MS);
    expect(await stage.round()).toStrictEqual(['first']);
    await stage.advance(ahead, HOUR_MS);
    expect(await stage.round()).toStrictEqual(['second']);
  });

  it('finds after a restart what was advanced long before', async () => {
    await stage.wait({ id: 'old', merchantId: ahead, dueMs: NOON + 10 * DAY_MS });
    await stage.advance(ahead, 5 * DAY_MS);
    stage.clock.timeMs += 5 * DAY_MS;
    expect(await stage.round()).toStrictEqual(['old']);
  });

  it('of one merchant does all that is due, and nothing of others', async () => {
    const many = Array.from({ length: 450 }, (_, index) => `many ${index}`);
    await stage.wait(...many.map(id => ({ id, merchantId: ahead, dueMs: NOON + HOUR_MS })));
    await stage.wait({ id: 'of another', merchantId: other, dueMs: NOON });
    await stage.advance(ahead, HOUR_MS);
    await stage.sweeper.sweepMerchant(ahead);
    expect([...stage.attempted].sort()).toStrictEqual([...many].sort());
  });

  it('comes to the others where many cannot be met', async () => {
    const stuck = Array.from({ length: 450 }, (_, index) => `stuck ${index}`);
    for (const id of stuck) stage.broken.add(id);
    await stage.wait(...stuck.map((id, index) => ({ id, merchantId: other, dueMs: NOON - 1_000 + index })));
    await stage.wait({ id: 'well', merchantId: other, dueMs: NOON });
    const attempted = [await stage.round(), await stage.round(), await stage.round()].flat();
    expect(attempted).toContain('well');
  });

  it('meets a deadline once where two sweeps come to it together', async () => {
    await stage.wait({ id: 'due', merchantId: ahead, dueMs: NOON });
    await stage.advance(ahead, HOUR_MS);
    await Promise.all([stage.sweeper.sweep('quote'), stage.sweeper.sweepMerchant(ahead)]);
    expect(stage.attempted).toStrictEqual(['due']);
  });
});
