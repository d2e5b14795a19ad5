import { dueDeliveriesProjection } from '../../../../projections/due-deliveries.projection';
import { clockOf } from '../../../../src/kernel/merchant-clocks';
import type { DueDeliveryDocument } from '../../../../src/modules/webhooks/due-deliveries.read-model';
import { DueList } from '../../../../src/processes/webhook-delivery/dispatch/due-list';
import { DueOnDisk, type Due } from '../../due-on-disk';

/** The list of test mode over documents on disk. */
export class DueListStage extends DueOnDisk<DueDeliveryDocument> {
  list = new DueList('test', this);
  isMore = false;

  constructor() {
    super(dueDeliveriesProjection);
  }

  restart(): void {
    this.list = new DueList('test', this);
  }

  protected override bodyOf({ merchantId = '', mode = '' }: Due, at: string, wall: string): DueDeliveryDocument {
    return {
      mode,
      merchant_id: merchantId,
      endpoint: `we_${merchantId}`,
      clock: mode === 'test' ? clockOf(merchantId) : mode,
      due_at: at,
      wall_due_at: wall,
      schedule: { at, wall },
      manual: null,
    };
  }

  /** The deliveries that one look finds, once each; with `meet` each is met at once. */
  async look(meet = false): Promise<readonly string[]> {
    const found = new Set<string>();
    this.isMore = await this.list.look(({ id }) => void found.add(id));
    if (meet) for (const id of found) await this.met(id);
    return [...found].sort();
  }

  override round(): Promise<readonly string[]> {
    return this.look();
  }

  override async rounds(): Promise<void> {
    for (await this.look(); this.isMore; await this.look());
  }
}
