import { refuse } from '../../vocabulary/errors';
import type { RecordedEvent } from '../../kernel/event';
import type { Mode } from '../../vocabulary/modes';
import type { BlockMoment, ObservedTransfer } from '../../kernel/ports/chain';
import type { Occasion, Read, SystemCommands } from '../../kernel/system-commands';
import { TOKENS, type Token } from '../../vocabulary/tokens';
import type { NetworkId } from '../../vocabulary/networks';
import { claimRefusal } from '../../modules/payment-intents/payment-intent.claimable';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import {
  goesToQueue,
  type DropReason,
  type PaymentIntentEvent,
} from '../../modules/payment-intents/payment-intent.events';
import type { LedgerTransfer, PaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import { isToItself } from '../../modules/transfers/named-transfer';
import {
  isClaimedIn,
  transfers,
  transferStreamId,
  type TransferCommand,
} from '../../modules/transfers/transfer.decider';
import type { TransferKey } from '../../modules/transfers/transfer.events';
import type { KnownTransfer, Transfer } from '../../modules/transfers/transfer.state';
import { transferOf, withdrawalOf, type TransferCredit } from './transfer-credit';
import type { TransferMatching } from './transfer-matching';
import { firstSeenMs, type GaplessBelow, type WatchedChains } from './transfer-moment';

type TransferClaimsParts = {
  readonly commands: SystemCommands;
  readonly matching: TransferMatching;
  readonly credits: TransferCredit;
  readonly watched: WatchedChains;
  readonly isGaplessBelow: GaplessBelow;
};

/** A payment that has, or had, a transfer. */
export type Holder = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly id: string;
  readonly merchantId: string | null;
};

/** The payment's merchant follows from its stream, which is read. */
type Releasing = Omit<Holder, 'merchantId'>;

/** A transfer in a block, as its payment has it, or would have it. */
type Place = Pick<LedgerTransfer, 'transfer_id' | 'tx_hash' | 'ordinal' | 'block_hash'>;

/** Keeps the claims on transfers in step with the payments that count them: committed before, let go after. */
export class TransferClaims {
  private readonly commands: SystemCommands;

  constructor(private readonly parts: TransferClaimsParts) {
    this.commands = parts.commands.of('matching');
  }

  /**
   * Commits the claim to the block in which the payment, as it was read, has the transfer; only then may the payment
   * count it. False where the claim is another payment's, or stands for another block: then both are brought in step
   * with the chain.
   */
  async commit(holder: Holder, transfer: LedgerTransfer): Promise<boolean> {
    const { mode, id: paymentIntent, merchantId } = holder;
    const { block_hash: blockHash } = transfer;
    const command = { type: 'commit', paymentIntent, blockHash } as const;
    const { state: claimed } = await this.commands.execute(
      transfers,
      transferStreamId(keyOf(holder, transfer)),
      ({ state }) => (isClaimedIn(state, paymentIntent, blockHash) ? { command, actor: 'watcher', merchantId } : null),
      { mode, cause: null },
    );
    if (isClaimedIn(claimed, paymentIntent, blockHash)) return true;
    await this.bringInStep(holder, transfer);
    return false;
  }

  /**
   * The payment has the transfer in another block than the chain, or the transfer's stream. The transfer is observed at
   * its present place, and withdrawn where it is not the payment's. The claim is read after the payment, in each try.
   */
  async bringInStep(holder: Holder, transfer: LedgerTransfer): Promise<void> {
    const { mode, id } = holder;
    const key = keyOf(holder, transfer);
    await this.observe({ mode, cause: null }, key);
    await this.commands.execute(
      paymentIntents,
      id,
      ({ state }, claim: string | null) => (claim === id ? null : withdrawalOf(state, transfer, 'verification_failed')),
      { mode, cause: null, find: () => this.claimOn(mode, key) },
    );
  }

  /**
   * Releases the claim, and looks at the transfer's present place: with other facts it may be another payment's now.
   */
  async letGo(holder: Releasing, dropped: Place, reason: DropReason): Promise<void> {
    const isGone = await this.release(holder, dropped, reason);
    if (isGone) await this.observe({ mode: holder.mode, cause: null }, keyOf(holder, dropped));
  }

  /**
   * Ends the claim of a payment that has dropped the transfer, or never had it; a payment that has the transfer keeps
   * its claim. Safe at any time: in each try the payment is read after the claim, and the claim ends only as that try
   * has read it. So no commitment can have come between. True where the transfer has left its block, which its stream
   * records as well.
   */
  async release(
    holder: Releasing,
    dropped: Place,
    reason: DropReason,
    cause: RecordedEvent | null = null,
  ): Promise<boolean> {
    const { mode, id } = holder;
    const key = keyOf(holder, dropped);
    const { state, events, found } = await this.commands.execute(
      transfers,
      transferStreamId(key),
      ({ state: transfer }, payment: Read<PaymentIntent, PaymentIntentEvent> | null) => {
        if (!isHolder(transfer, id) || payment === null || !isOff(payment.state, dropped)) return null;
        const command = endOf(transfer, payment.state, holder, dropped, reason);
        return { command, actor: 'watcher', merchantId: payment.owner };
      },
      {
        mode,
        cause,
        find: async ({ state: transfer }) =>
          isHolder(transfer, id) ? this.commands.read(paymentIntents, mode, id) : null,
      },
    );
    const [end] = events;
    // The same money stands in another block: it is credited there, or goes to the queue.
    const isStillHolder = !end && isHolder(state, id) && found && isOff(found.state, dropped);
    if (isStillHolder) await this.parts.credits.finish(mode, key, { cause });
    return end?.type === 'TransferReorgedOut';
  }

  /**
   * Looks at the chain and matches the transfer at its present place. False while the chain moves under the look, and
   * where its payment's time is not covered yet. A caller that must not lose the transfer looks again.
   */
  async observe({ mode, cause }: Occasion, key: TransferKey): Promise<boolean> {
    const { matching, watched } = this.parts;
    const place = watched(mode, key.network);
    const receipt = await place?.chain.receipt(key.txHash);
    const transfer = receipt?.succeeded ? receipt.transfers.find(({ ordinal }) => ordinal === key.ordinal) : undefined;
    if (!place || !receipt || !transfer || transfer.valueBaseUnits === 0n || isToItself(transfer)) return true;
    const block = await place.chain.agreedBlock(receipt.blockNumber);
    if (block === null)
      throw refuse('provider_unavailable', { message: `no two providers agree on block ${receipt.blockNumber}` });
    const token = tokenOf(mode, key.network, transfer);
    if (token === null) return true;
    if (block.hash !== receipt.blockHash) return false;
    const { state, history } = await this.commands.read(transfers, mode, transferStreamId(key));
    if (state.status === 'none' || state.seen.to !== transfer.to) return true;
    const firstMs = place.policy.paidAt === 'first_sight' ? firstSeenMs(history) : null;
    const sighting = { mode, token, transfer, block, paidAtMs: firstMs ?? block.timeMs };
    const requireGaplessOn = (slotId: string | null) => this.requireGapless(mode, key.network, block, slotId);
    return (await matching.observe({ ...sighting, requireGaplessOn, isNamed: true, cause })) !== null;
  }

  /** Up to the end of the block, as an inference is judged. */
  private async requireGapless(mode: Mode, network: NetworkId, { number, timeMs }: BlockMoment, slotId: string | null) {
    if (await this.parts.isGaplessBelow(mode, network, { number: number + 1, timeMs }, slotId)) return;
    throw new Error('a block up to this one is not read yet');
  }

  private async claimOn(mode: Mode, key: TransferKey): Promise<string | null> {
    const { state } = await this.commands.read(transfers, mode, transferStreamId(key));
    return state.status === 'none' ? null : state.claim;
  }
}

function keyOf({ network }: Releasing, { tx_hash: txHash, ordinal }: Place): TransferKey {
  return { network, txHash, ordinal };
}

function isHolder(state: Transfer, paymentIntent: string): state is KnownTransfer {
  return state.status !== 'none' && state.claim === paymentIntent;
}

function isOff(payment: PaymentIntent, { transfer_id: id }: Place): boolean {
  return transferOf(payment, id) === null;
}

/**
 * A surplus, and what a rejection in review has dropped, goes to the queue with the payment named. An administrator who
 * gave the transfer reads that reason.
 */
function endOf(
  { status }: KnownTransfer,
  payment: PaymentIntent,
  { id: paymentIntent }: Releasing,
  { block_hash: blockHash }: Place,
  reason: DropReason,
): TransferCommand {
  const end = { paymentIntent, isDropped: true } as const;
  if (goesToQueue(reason) && status === 'claimed') return { type: 'unmatch', ...end };
  if (!goesToQueue(reason) || status !== 'resolved') return { type: 'let_go', blockHash, ...end };
  return { type: 'fail_attribution', refusal: claimRefusal(payment) ?? 'invalid_state_transition', ...end };
}

function tokenOf(mode: Mode, network: NetworkId, { contract }: ObservedTransfer): Token | null {
  return Object.values(TOKENS).find(token => token.network === network && token.contract[mode] === contract) ?? null;
}
