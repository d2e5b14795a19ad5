import { SECOND_MS } from '../kernel/clock';
import { everyDocument } from '../kernel/every-document';
import type { ReadModels } from '../kernel/ports/read-models';
import { lacksRemainder } from '../modules/payment-intents/payment-intent.settlement';
import type { LedgerTransfer, QuotedPaymentIntent } from '../modules/payment-intents/payment-intent.state';
import { takesNoMore } from '../modules/payment-intents/payment-intent.transfers';
import { paymentIntentsReadModel } from '../modules/payment-intents/payment-intents.read-model';
import type { Settlement } from '../processes/settlement';
import type { ChainView } from './chain-view';
import { PaymentTransfers, type Followed, type PaymentTransfersParts } from './payment-transfers';
import { SettledTransfers } from './settled-transfers';

const PAGE = 500;
/** Of one tick: the scan waits meanwhile, and what is left is followed in the ticks after it. */
const BUDGET_MS = 3 * SECOND_MS;

/** Payments by their ids; null for an open end. */
type Span = { readonly from: string | null; readonly to: string | null };

export type PaymentFollowerParts = PaymentTransfersParts & {
  readonly readModels: ReadModels;
  readonly settlement: Settlement;
};

/**
 * Follows seen transfers to their depth, or to their end when a reorganisation takes them; and what counts already,
 * when blocks are replaced.
 */
export class PaymentFollower {
  private readonly transfers: PaymentTransfers;
  private readonly settled: SettledTransfers;
  /** The last payment that was followed before the time was up; the next tick begins behind it. */
  private followedTo: string | null = null;

  constructor(private readonly parts: PaymentFollowerParts) {
    const { mode, network, readModels } = parts;
    this.transfers = new PaymentTransfers(parts);
    this.settled = new SettledTransfers(mode, network, readModels, this.transfers);
  }

  async follow(view: ChainView): Promise<void> {
    const untilMs = this.parts.clock.now() + BUDGET_MS;
    const from = this.followedTo;
    this.followedTo = null;
    if ((await this.followSome({ from, to: null }, view, untilMs)) && from !== null)
      await this.followSome({ from: null, to: from }, view, untilMs);
    const settledUntilMs = this.parts.clock.now() + BUDGET_MS;
    await this.settled.recheck(view, () => this.isOver(settledUntilMs));
    this.transfers.tellOutage();
  }

  /** Those behind `from`, up to `to`. False where the time was up. */
  private async followSome({ from, to }: Span, view: ChainView, untilMs: number): Promise<boolean> {
    const { mode, network, readModels } = this.parts;
    const equals = { mode, network_id: network, followed: true };
    const query = { index: 'by_network', equals, limit: PAGE, ...(from !== null && { after: { id: from } }) };
    for await (const { id, body } of everyDocument(readModels, paymentIntentsReadModel, query)) {
      if (to !== null && id > to) break;
      const payment = { id, merchantId: body.merchant_id };
      await this.transfers.safely(payment, () => this.followPayment(payment, view, untilMs));
      if (!this.isOver(untilMs)) continue;
      this.followedTo = id;
      return false;
    }
    return true;
  }

  private isOver(untilMs: number): boolean {
    return this.parts.clock.now() >= untilMs;
  }

  /** At least one transfer; the others of a payment wait for its next turn once the time is up. */
  private async followPayment(payment: Followed, view: ChainView, untilMs: number): Promise<void> {
    const state = await this.transfers.load(payment.id);
    if (!state) return;
    for (const transfer of Object.values(state.ledger.transfers)) {
      if (transfer.final) continue;
      await this.followTransfer(payment, state, transfer, view);
      if (this.isOver(untilMs)) return;
    }
    const now = await this.transfers.load(payment.id);
    if (now?.status === 'confirming') await this.followSettlement(payment, now, view);
    if (now?.status === 'underpaid' || now?.status === 'paid_late') await this.followReview(payment, now);
  }

  private async followSettlement(payment: Followed, state: QuotedPaymentIntent, view: ChainView): Promise<void> {
    if (Object.values(state.ledger.transfers).every(transfer => transfer.final))
      await this.settle(payment, state, null, view);
    else await this.parts.settlement.screenEarly({ mode: this.parts.mode, ...payment }, state);
  }

  /** What a lost transfer, or a death in the middle, has left to be done beside the transfers that are on their way. */
  private async followReview(payment: Followed, state: QuotedPaymentIntent): Promise<void> {
    const { mode, settlement } = this.parts;
    await settlement.holdRisks({ mode, ...payment }, state);
    if (lacksRemainder(state)) await settlement.askForRemainder({ mode, ...payment }, state);
  }

  private async followTransfer(
    payment: Followed,
    state: QuotedPaymentIntent,
    transfer: LedgerTransfer,
    view: ChainView,
  ): Promise<void> {
    if (!(await this.transfers.stands(payment, state, transfer, view))) return;
    const { transfer_id: transferId, block_hash: blockHash } = transfer;
    const headNumber = view.head.number;
    if (headNumber > transfer.block_number && state.status === 'detected')
      await this.transfers.execute(payment, { type: 'see_confirmation', transferId, headNumber });
    const finality = await this.transfers.checks.finality(state.quote, transfer, view);
    if (finality === false) return;
    if (finality !== true) return this.transfers.drop(payment, state, transfer, finality);
    if (takesNoMore(state)) return this.transfers.giveUp(payment, state, transfer);
    if (state.status !== 'detected' && state.status !== 'confirming')
      return this.settle(payment, state, transfer, view);
    if (!(await this.transfers.commit(payment, transfer))) return;
    const committed = { transferId, blockHash, sighting: transfer.sighting };
    await this.transfers.execute(payment, { type: 'reach_depth', ...committed, headNumber });
  }

  /**
   * Between a transfer's depth and the settlement lie the other transfers, a screening, a hold: all must stand at that
   * moment.
   */
  private async settle(
    payment: Followed,
    state: QuotedPaymentIntent,
    finalTransfer: LedgerTransfer | null,
    view: ChainView,
  ): Promise<void> {
    const { mode, settlement } = this.parts;
    if (settlement.isWaiting(payment.id, state)) return;
    if (!(await this.transfers.allStand(payment, state, view))) return;
    if (finalTransfer !== null && !(await this.transfers.commit(payment, finalTransfer))) return;
    await settlement.advance({ mode, ...payment }, state, finalTransfer);
  }
}
