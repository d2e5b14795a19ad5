import { clockOf } from '../../../src/kernel/merchant-clocks';
import { deadlinesProjection } from '../../../projections/deadlines.projection';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock';
import type { DeadlineDocument } from '../../../src/modules/payment-intents/deadlines.read-model';
import { Sweeper } from '../../../src/processes/expiry/sweeper';
import { NOON, RecordingLog } from '../../support/payment-fixture';
import { describeCosts, DueOnDisk, merchantOf, type Due } from '../due-on-disk';
import { stagedCommands } from '../../support/staged-writes';

/** A sweeper of quotes over documents on disk; each expiry is noted and, unless it fails, met. */
class Stage extends DueOnDisk<DeadlineDocument> {
  readonly attempted: string[] = [];
  readonly broken = new Set<string>();
  readonly sweeper: Sweeper;

  constructor() {
    super(deadlinesProjection);
    const { clock, readModels } = this;
    const load = () => Promise.resolve({ state: { status: 'awaiting_payment', quote: null } });
    const execute = (_: unknown, id: string) => this.attempt(id);
    this.sweeper = new Sweeper({
      modes: ['test', 'live'],
      readModels,
      commands: stagedCommands({ load, execute }, clock),
      gaplessUntil: () => Promise.resolve(clock.now() + 1),
      isSlotWaiting: () => Promise.resolve(false),
      clock,
      log: new RecordingLog(),
    });
  }

  protected override bodyOf({ id, merchantId = '', mode = '' }: Due, at: string, wall: string): DeadlineDocument {
    return {
      clock: mode === 'test' ? clockOf(merchantId) : mode,
      kind: 'quote',
      due_at: at,
      wall_due_at: wall,
      network_id: 'base',
      mode,
      subject: id,
      payment_intent: id,
      merchant_id: merchantId,
    };
  }

  /** The attempts of one round. */
  override async round(): Promise<readonly string[]> {
    this.attempted.length = 0;
    await this.sweeper.sweep('quote');
    return [...this.attempted].sort();
  }

  override async rounds(): Promise<void> {
    while (await this.sweeper.sweep('quote'));
  }

  private async attempt(id: string): Promise<void> {
    this.attempted.push(id);
    if (this.broken.has(id)) throw new Error(`${id} is broken`);
    await this.met(id);
  }
}

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
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

describe('what a round costs', () => {
  /** One for each mode and network, and one for the advanced clocks. */
  describeCosts(() => new Stage(), { queries: 7, documents: 0 });
});
