import { paymentIntentsProjection } from '../../projections/payment-intents/payment-intents.projection';
import { everyDocument } from '../kernel/every-document';
import { finalHeight } from '../kernel/finality';
import type { Mode } from '../kernel/event';
import type { ReadModels } from '../kernel/ports/read-models';
import { NETWORKS, type NetworkId } from '../kernel/tokens';
import type { ChainView } from './chain-view';
import type { Followed, PaymentTransfers } from './payment-transfers';

const PAGE = 500;
/** Blocks looked back over by who has just started: whoever died while a transfer was missing, and was away for long, has left it to be found again. */
const LOOK_BACK_BLOCKS = 4_096;

/**
 * Looks after transfers that have been counted already. They are checked again when blocks are replaced, from the lowest replaced one on; where
 * that is not known (at the start, and after an outage) all that lie less than `LOOK_BACK_BLOCKS` below the last block that
 * is final. While one is missing, every tick looks again.
 */
export class SettledTransfers {
  /** Height from which on transfers are looked at again; null while none has to be. */
  private doubtfulFrom: number | null = null;

  constructor(
    private readonly mode: Mode,
    private readonly network: NetworkId,
    private readonly readModels: ReadModels,
    private readonly transfers: PaymentTransfers,
  ) {}

  async recheck(view: ChainView): Promise<void> {
    const from = lowest(this.doubtfulFrom, view.replaced.from, view.replaced.isUnknown ? this.windowFrom(view) : null);
    this.doubtfulFrom = from;
    if (from !== null && (await this.checkFrom(from, view))) this.doubtfulFrom = null;
  }

  private windowFrom(view: ChainView): number {
    const { finality } = NETWORKS[this.network];
    const final = Math.min(view.finalizedHeight, finalHeight(finality[this.mode].standard, view));
    return Math.max(0, final - LOOK_BACK_BLOCKS);
  }

  private async checkFrom(from: number, view: ChainView): Promise<boolean> {
    const equals = { mode: this.mode, network_id: this.network };
    let allStand = true;
    const query = { index: 'by_settled_block', equals, range: { from }, limit: PAGE };
    for await (const { id, body } of everyDocument(this.readModels, paymentIntentsProjection, query)) {
      if (!(await this.check({ id, merchantId: body.merchant_id }, from, view))) allStand = false;
    }
    return allStand;
  }

  private async check(payment: Followed, from: number, view: ChainView): Promise<boolean> {
    let allStand = true;
    const isDone = await this.transfers.safely(payment, async () => {
      const state = await this.transfers.load(payment.id);
      const counted = Object.values(state?.ledger.transfers ?? {}).filter(({ final }) => final);
      for (const transfer of counted) {
        if (transfer.block_number < from || !state) continue;
        if (!(await this.transfers.stands(payment, state, transfer, view))) allStand = false;
      }
    });
    return isDone && allStand;
  }
}

function lowest(...heights: readonly (number | null)[]): number | null {
  const known = heights.filter(height => height !== null);
  return known.length > 0 ? Math.min(...known) : null;
}
