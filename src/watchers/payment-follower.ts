import { paymentIntentsProjection } from '../../projections/payment-intents/payment-intents.projection';
import type { Clock } from '../kernel/clock';
import { systemContext, type CommandContext } from '../kernel/command-context';
import type { Entropy } from '../kernel/entropy';
import { isRefusal } from '../kernel/errors';
import type { Mode } from '../kernel/event';
import type { BlockHeader, Chain, Receipt } from '../kernel/ports/chain';
import type { Log } from '../kernel/ports/log';
import type { ReadModels } from '../kernel/ports/read-models';
import { NETWORKS, TOKENS, type NetworkId } from '../kernel/tokens';
import type { WritePath } from '../kernel/write-path';
import { paymentIntents } from '../modules/payment-intents/payment-intent.decider';
import type { FailureReason } from '../modules/payment-intents/payment-intent.events';
import type { LedgerTransfer, QuotedPaymentIntent } from '../modules/payment-intents/payment-intent.state';
import { transfers, transferStreamId } from '../modules/transfers/transfer.decider';
import type { Settlement } from '../processes/settlement/settlement';

const PAGE = 500;

/** The chain as one tick sees it. `hashAt` answers the canonical hash of a height up to the head. */
export type ChainView = {
  readonly head: BlockHeader;
  readonly finalizedHeight: number;
  readonly hashAt: (height: number) => Promise<string | null>;
};

type Followed = { readonly id: string; readonly merchantId: string };

/** Follows seen transfers to their depth, or to their end when a reorganisation takes them. */
export class PaymentFollower {
  constructor(
    private readonly mode: Mode,
    private readonly network: NetworkId,
    private readonly chain: Chain,
    private readonly readModels: ReadModels,
    private readonly writes: WritePath,
    private readonly settlement: Settlement,
    private readonly clock: Clock,
    private readonly entropy: Entropy,
    private readonly log: Log,
  ) {}

  async follow(view: ChainView): Promise<void> {
    const equals = { mode: this.mode, network_id: this.network, followed: true };
    for (let after: { id: string } | undefined, full = true; full;) {
      const query = { index: 'by_network', equals, limit: PAGE, ...(after && { after }) };
      const page = await this.readModels.list(paymentIntentsProjection, query);
      for (const { id, body } of page) await this.followSafely({ id, merchantId: body.merchant_id }, view);
      const last = page.at(-1);
      full = page.length === PAGE && last !== undefined;
      after = last && { id: last.id };
    }
  }

  /** One payment's trouble must not hold up the others; it is met again at the next tick. */
  private async followSafely(payment: Followed, view: ChainView): Promise<void> {
    try {
      await this.followPayment(payment, view);
    } catch (error) {
      this.log.error(
        { payment_intent: payment.id, network: this.network, err: error },
        'payment could not be followed',
      );
    }
  }

  private async followPayment(payment: Followed, view: ChainView): Promise<void> {
    const { state } = await this.writes.load(paymentIntents, this.mode, payment.id);
    if (state.status === 'none' || state.quote === null) return;
    for (const transfer of Object.values(state.ledger.transfers)) {
      if (!transfer.final) await this.followTransfer(payment, state, transfer, view);
    }
    if (state.status !== 'detected' && state.status !== 'confirming') return;
    const { state: now } = await this.writes.load(paymentIntents, this.mode, payment.id);
    if (now.status !== 'confirming') return;
    const all = Object.values(now.ledger.transfers);
    if (all.every(transfer => transfer.final)) await this.settle(payment, now);
  }

  private async followTransfer(
    payment: Followed,
    state: QuotedPaymentIntent,
    transfer: LedgerTransfer,
    view: ChainView,
  ): Promise<void> {
    const depth = view.head.number - transfer.block_number;
    const standing = depth >= 0 && (await view.hashAt(transfer.block_number)) === transfer.block_hash;
    if (!standing) return this.followVanished(payment, transfer, view);
    const id = transfer.transfer_id;
    if (depth >= 1 && state.status === 'detected') {
      await this.execute(payment, { type: 'see_confirmation', transferId: id, headNumber: view.head.number });
    }
    if (depth < state.quote.required_confirmations || transfer.block_number > view.finalizedHeight) return;
    const receipt = await this.chain.receipt(transfer.tx_hash);
    if (receipt?.blockHash !== transfer.block_hash) return;
    const fault = faultOf(state, transfer, receipt);
    if (fault !== null) return this.drop(payment, transfer, fault);
    if (state.status === 'underpaid' || state.status === 'expired') return this.settle(payment, state, id);
    await this.execute(payment, {
      type: 'reach_depth',
      transferId: id,
      blockHash: transfer.block_hash,
      headNumber: view.head.number,
    });
  }

  /** Its block has left the chain: it may come back in another within the network's window; a changed one never counts. */
  private async followVanished(payment: Followed, transfer: LedgerTransfer, view: ChainView): Promise<void> {
    const receipt = await this.chain.receipt(transfer.tx_hash);
    if (receipt !== null) {
      const back = receipt.transfers.find(({ ordinal }) => ordinal === transfer.ordinal);
      if (!receipt.succeeded) return this.drop(payment, transfer, 'reverted');
      if (back?.valueBaseUnits.toString() !== transfer.value_base_units)
        return this.drop(payment, transfer, 'verification_failed');
      return;
    }
    if (view.head.number - transfer.block_number < NETWORKS[this.network].reinclusionBlocks) return;
    const streamId = transferStreamId({ network: this.network, txHash: transfer.tx_hash, ordinal: transfer.ordinal });
    const command = { type: 'reorg_out', blockHash: transfer.block_hash } as const;
    await this.writes.execute(transfers, streamId, command, this.context(payment));
    await this.drop(payment, transfer, 'reorged_out');
  }

  private async drop(payment: Followed, transfer: LedgerTransfer, reason: FailureReason): Promise<void> {
    this.log.warn({ payment_intent: payment.id, tx_hash: transfer.tx_hash, reason }, 'transfer dropped');
    await this.execute(payment, { type: 'drop_transfer', transferId: transfer.transfer_id, reason });
  }

  private async settle(
    payment: Followed,
    state: QuotedPaymentIntent,
    finalTransferId: string | null = null,
  ): Promise<void> {
    await this.settlement.advance({ mode: this.mode, ...payment }, state, finalTransferId);
  }

  private async execute(payment: Followed, command: Parameters<(typeof paymentIntents)['decide']>[0]): Promise<void> {
    try {
      await this.writes.execute(paymentIntents, payment.id, command, this.context(payment));
    } catch (error) {
      // The payment moved on meanwhile: the next tick starts from where it is.
      if (!isRefusal(error, 'invalid_state_transition')) throw error;
    }
  }

  private context({ merchantId }: Followed): CommandContext {
    return systemContext(this.entropy, { actor: 'watcher', mode: this.mode, merchantId, now: this.clock.now() });
  }
}

/** What the receipt says against the transfer that was seen; null when it bears it out. */
function faultOf(state: QuotedPaymentIntent, transfer: LedgerTransfer, receipt: Receipt): FailureReason | null {
  if (!receipt.succeeded) return 'reverted';
  const logged = receipt.transfers.find(({ ordinal }) => ordinal === transfer.ordinal);
  const { token_id, address } = state.quote;
  const contracts = Object.values(TOKENS[token_id].contract);
  const borneOut =
    logged !== undefined &&
    logged.valueBaseUnits.toString() === transfer.value_base_units &&
    logged.to === address &&
    logged.from === transfer.from &&
    contracts.includes(logged.contract);
  return borneOut ? null : 'verification_failed';
}
