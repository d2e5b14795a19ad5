import { everyDocument } from '../kernel/every-document';
import { finalHeight } from '../vocabulary/finality';
import type { Mode } from '../vocabulary/modes';
import type { Document } from '../kernel/ports/documents';
import type { ReadModels } from '../kernel/ports/read-models';
import { NETWORKS, type NetworkId } from '../vocabulary/networks';
import {
  paymentIntentsReadModel,
  type PaymentIntentDocument,
} from '../modules/payment-intents/payment-intents.read-model';
import type { ChainView } from './chain-view';
import type { Followed, PaymentTransfers } from './payment-transfers';

const PAGE = 500;
/** Transfers looked at in one tick, at least one payment's: the scan waits meanwhile. */
const MOST_OF_TICK = 1_000;
/**
 * Blocks that a process looks back over when it has just started. An earlier process may have died while a transfer was
 * missing, and have been away for long. Such a transfer is left to be found again.
 */
const LOOK_BACK_BLOCKS = 4_096;

type Row = Document<PaymentIntentDocument>;

/**
 * A look at all payments with transfers from a height on, in the order of their blocks. The look may take many ticks.
 */
type Pass = {
  readonly from: number;
  readonly rows: AsyncGenerator<Row>;
  /** Whether every transfer looked at so far stood. */
  allStood: boolean;
};

/**
 * Looks after transfers that have been counted already. Counted transfers are checked again when blocks are replaced,
 * from the lowest replaced one on. That block is not known at the start, and after an outage. Then all transfers are
 * checked that lie less than `LOOK_BACK_BLOCKS` below the last final block. While a transfer is missing, they are
 * checked again and again. A tick checks some only, and the next tick goes on.
 */
export class CountedTransfers {
  /**
   * Height from which on transfers are looked at again after the pass under way; null while no such height is known.
   */
  private recheckFrom: number | null = null;
  private pass: Pass | null = null;

  constructor(
    private readonly mode: Mode,
    private readonly network: NetworkId,
    private readonly readModels: ReadModels,
    private readonly transfers: PaymentTransfers,
  ) {}

  /** `isTimeUp` ends the tick's share early. */
  async recheck(view: ChainView, isTimeUp: () => boolean = () => false): Promise<void> {
    this.recheckFrom = lowest(
      this.recheckFrom,
      view.replaced.from,
      view.replaced.isUnknown ? this.windowFrom(view) : null,
    );
    this.pass ??= this.nextPass();
    if (this.pass === null) return;
    const { pass } = this;
    try {
      if (!(await this.goOn(pass, view, isTimeUp))) return;
    } catch (error) {
      this.endPass(pass, false);
      throw error;
    }
    this.endPass(pass, pass.allStood);
  }

  private windowFrom(view: ChainView): number {
    const { finality } = NETWORKS[this.network];
    const final = Math.min(view.finalizedHeight, finalHeight(finality[this.mode].standard, view));
    return Math.max(0, final - LOOK_BACK_BLOCKS);
  }

  private nextPass(): Pass | null {
    const from = this.recheckFrom;
    if (from === null) return null;
    this.recheckFrom = null;
    const equals = { mode: this.mode, network_id: this.network };
    const query = { index: 'by_counted_block', equals, range: { from }, limit: PAGE };
    return { from, rows: everyDocument(this.readModels, paymentIntentsReadModel, query), allStood: true };
  }

  private endPass({ from }: Pass, allStood: boolean): void {
    this.pass = null;
    if (!allStood) this.recheckFrom = lowest(this.recheckFrom, from);
  }

  /** True once all payments have been looked at. */
  private async goOn(pass: Pass, view: ChainView, isTimeUp: () => boolean): Promise<boolean> {
    for (let looked = 0; looked < MOST_OF_TICK;) {
      const next = await pass.rows.next();
      if (next.done) return true;
      const { id, body } = next.value;
      const { isDone, transfers } = await this.check({ id, merchantId: body.merchant_id }, pass.from, view);
      if (!isDone) pass.allStood = false;
      // A payment that has no such transfer any more costs a read.
      looked += Math.max(1, transfers);
      if (isTimeUp()) return false;
    }
    return false;
  }

  /** `isDone` is false where a transfer is missing, or could not be looked at. */
  private async check(payment: Followed, from: number, view: ChainView) {
    let [allStand, transfers] = [true, 0];
    const isLookedAt = await this.transfers.safely(payment, async () => {
      const state = await this.transfers.load(payment.id);
      const counted = Object.values(state?.ledger.transfers ?? {}).filter(({ final }) => final);
      for (const transfer of counted) {
        if (transfer.block_number < from || !state) continue;
        transfers += 1;
        if (!(await this.transfers.stands(payment, state, transfer, view))) allStand = false;
      }
    });
    return { isDone: isLookedAt && allStand, transfers };
  }
}

function lowest(...heights: readonly (number | null)[]): number | null {
  const known = heights.filter(height => height !== null);
  return known.length > 0 ? Math.min(...known) : null;
}
