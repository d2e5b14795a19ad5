import { SECOND_MS } from '../kernel/clock';
import { everyDocument } from '../kernel/every-document';
import type { ReadModels } from '../kernel/ports/read-models';
import { hasOpenTransfer } from '../modules/payment-intents/payment-intent.followed';
import { unheldRisks } from '../modules/payment-intents/payment-intent.holds';
import { inferredAtShared, isInReview } from '../modules/payment-intents/payment-intent.outcome';
import { lacksRemainder, paidWithoutInferredAtShared } from '../modules/payment-intents/payment-intent.settlement';
import type {
  ExistingPaymentIntent,
  LedgerTransfer,
  PaymentIntent,
  QuotedPaymentIntent,
} from '../modules/payment-intents/payment-intent.state';
import { takesNoMore } from '../modules/payment-intents/payment-intent.transfers';
import { paymentIntentsReadModel } from '../modules/payment-intents/payment-intents.read-model';
import type { Settlement } from '../processes/settlement';
import type { ChainView } from './chain-view';
import { PaymentTransfers, quoted, type Followed, type PaymentTransfersParts } from './payment-transfers';
import { CountedTransfers } from './counted-transfers';

const PAGE = 500;
/** The time of one tick: the scan waits meanwhile, and the other payments are followed in the ticks after it. */
const BUDGET_MS = 3 * SECOND_MS;

/** Payments by their ids; null for no bound. */
type Span = { readonly from: string | null; readonly to: string | null };

type PaymentFollowerParts = PaymentTransfersParts & {
  readonly readModels: ReadModels;
  readonly settlement: Settlement;
};

/**
 * Follows seen transfers to their depth, or to their end when a reorganisation takes them. Follows counted transfers
 * when blocks are replaced.
 */
export class PaymentFollower {
  private readonly transfers: PaymentTransfers;
  private readonly counted: CountedTransfers;
  /** The last payment that was followed before the time was up; the next tick begins behind it. */
  private followedTo: string | null = null;

  constructor(private readonly parts: PaymentFollowerParts) {
    const { mode, network, readModels } = parts;
    this.transfers = new PaymentTransfers(parts);
    this.counted = new CountedTransfers(mode, network, readModels, this.transfers);
  }

  async follow(view: ChainView): Promise<void> {
    const untilMs = this.parts.clock.now() + BUDGET_MS;
    const from = this.followedTo;
    this.followedTo = null;
    if ((await this.followSome({ from, to: null }, view, untilMs)) && from !== null)
      await this.followSome({ from: null, to: from }, view, untilMs);
    const countedUntilMs = this.parts.clock.now() + BUDGET_MS;
    await this.counted.recheck(view, () => this.isOver(countedUntilMs));
    this.transfers.tellOutage();
  }

  /** Follows the payments behind `from`, up to `to`. False where the time was up. */
  private async followSome({ from, to }: Span, view: ChainView, untilMs: number): Promise<boolean> {
    const { mode, network, readModels } = this.parts;
    const equals = { mode, network_id: network, followed: true };
    const query = { index: 'by_network', equals, limit: PAGE, ...(from !== null && { after: { id: from } }) };
    for await (const { id, body } of everyDocument(readModels, paymentIntentsReadModel, query)) {
      if (to !== null && id > to) break;
      const payment = { id, merchantId: body.merchant_id };
      await this.transfers.safely(payment, async () => {
        if (await this.mayNeed(payment, body.state, view)) await this.followPayment(payment, view, untilMs);
      });
      if (!this.isOver(untilMs)) continue;
      this.followedTo = id;
      return false;
    }
    return true;
  }

  private isOver(untilMs: number): boolean {
    return this.parts.clock.now() >= untilMs;
  }

  /**
   * Whether a payment may need work, by its document. The document only chooses the payments to look at: the payment's
   * stream, which is read then, decides.
   */
  private async mayNeed({ id }: Followed, state: ExistingPaymentIntent, view: ChainView): Promise<boolean> {
    if (state.quote === null) return true;
    const transfers = Object.values(state.ledger.transfers);
    for (const transfer of transfers) if (!transfer.final && (await this.isDue(state, transfer, view))) return true;
    if (isInReview(state)) return unheldRisks(state).length > 0 || lacksRemainder(state);
    if (state.status !== 'confirming' || this.parts.settlement.isWaiting(id, state)) return false;
    // Before their depth, the payers of inferred transfers are not screened.
    const left = inferredAtShared(state);
    const early = transfers.filter(transfer => !left.includes(transfer));
    const isScreened = early.every(({ from }) => state.ledger.screened[from] !== undefined);
    return !isScreened || isToBeSettled(state);
  }

  private async isDue(state: QuotedPaymentIntent, transfer: LedgerTransfer, view: ChainView): Promise<boolean> {
    const { checks } = this.transfers;
    if ((await checks.standingOf(state.quote, transfer, view)) !== 'standing') return true;
    if (state.status === 'detected' && view.head.number > transfer.block_number) return true;
    return (await checks.finality(state.quote, transfer, view)) !== false;
  }

  /** Follows at least one transfer; the others of a payment wait for its next turn once the time is up. */
  private async followPayment(payment: Followed, view: ChainView, untilMs: number): Promise<void> {
    const state = await this.transfers.load(payment.id);
    if (!state) return;
    let newest: PaymentIntent | null = state;
    for (const transfer of Object.values(state.ledger.transfers)) {
      if (transfer.final) continue;
      const left = await this.followTransfer(payment, state, transfer, view);
      if (left !== 'unchanged') newest = left;
      if (this.isOver(untilMs)) return;
    }
    const now = newest === null ? await this.transfers.load(payment.id) : quoted(newest);
    if (now?.status === 'confirming') await this.followSettlement(payment, now, view);
    if (now !== null && isInReview(now)) await this.followReview(payment, now);
  }

  private async followSettlement(payment: Followed, state: QuotedPaymentIntent, view: ChainView): Promise<void> {
    if (isToBeSettled(state)) await this.settle(payment, state, null, view);
    else await this.parts.settlement.screenEarly({ mode: this.parts.mode, ...payment }, state);
  }

  /** The work that a lost transfer, or a death in the middle, has left beside the transfers that are on their way. */
  private async followReview(payment: Followed, state: QuotedPaymentIntent): Promise<void> {
    const { mode, settlement } = this.parts;
    await settlement.holdRisks({ mode, ...payment }, state);
    if (lacksRemainder(state)) await settlement.askForRemainder({ mode, ...payment }, state);
  }

  /** The payment as a command left it; `unchanged` where none was given, null where its stream has to be read. */
  private async followTransfer(
    payment: Followed,
    state: QuotedPaymentIntent,
    transfer: LedgerTransfer,
    view: ChainView,
  ): Promise<PaymentIntent | 'unchanged' | null> {
    if (!(await this.transfers.stands(payment, state, transfer, view))) return null;
    const { transfer_id: transferId } = transfer;
    const headNumber = view.head.number;
    let left: PaymentIntent | 'unchanged' = 'unchanged';
    if (headNumber > transfer.block_number && state.status === 'detected')
      left = (await this.transfers.decide(payment, { type: 'see_confirmation', transferId, headNumber })).state;
    const finality = await this.transfers.checks.finality(state.quote, transfer, view);
    if (finality === false) return left;
    if (finality !== true) await this.transfers.drop(payment, state, transfer, finality);
    else if (takesNoMore(state)) await this.transfers.giveUp(payment, state, transfer);
    else if (state.status !== 'detected' && state.status !== 'confirming')
      await this.settle(payment, state, transfer, view);
    else return this.deepen(payment, transfer, headNumber);
    return null;
  }

  private async deepen(payment: Followed, transfer: LedgerTransfer, headNumber: number): Promise<PaymentIntent | null> {
    if (!(await this.transfers.commit(payment, transfer))) return null;
    const { transfer_id: transferId, block_hash: blockHash, sighting } = transfer;
    const committed = { transferId, blockHash, sighting };
    return (await this.transfers.decide(payment, { type: 'reach_depth', ...committed, headNumber })).state;
  }

  /**
   * Between a transfer's depth and the settlement lie the other transfers, a screening, a hold. All transfers must
   * stand at that moment.
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

/** Whether no transfer is short of its depth. Inferred ones at a shared wallet may be where the others pay. */
function isToBeSettled(state: QuotedPaymentIntent): boolean {
  return !hasOpenTransfer(paidWithoutInferredAtShared(state) ?? state);
}
