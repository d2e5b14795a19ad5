import { deadlinesProjection } from '../../../projections/deadlines.projection';
import { clockOf } from '../../../src/kernel/merchant-clocks';
import type { DeadlineDocument } from '../../../src/modules/payment-intents/deadlines.read-model';
import { Sweeper } from '../../../src/processes/expiry/sweeper';
import { RecordingLog } from '../../support/fixture-doubles';
import { stagedCommands } from '../../support/staged-writes';
import { DueOnDisk, type Due } from '../due-on-disk';

/** A sweeper of quotes over documents on disk; each expiry is noted and, unless it fails, met. */
export class SweeperStage extends DueOnDisk<DeadlineDocument> {
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
