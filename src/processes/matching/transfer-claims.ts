import { systemContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import { isRefusal, refuse } from '../../kernel/errors';
import type { Mode } from '../../kernel/event';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { ObservedTransfer } from '../../kernel/ports/chain';
import { TOKENS, type NetworkId, type Token } from '../../kernel/tokens';
import type { WritePath } from '../../kernel/write-path';
import { claimRefusal } from '../../modules/payment-intents/payment-intent.claimable';
import type { PaymentIntentCommand } from '../../modules/payment-intents/payment-intent.commands';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type { DropReason } from '../../modules/payment-intents/payment-intent.events';
import type { LedgerTransfer, PaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import { transfers, transferStreamId, type TransferCommand } from '../../modules/transfers/transfer.decider';
import type { TransferKey } from '../../modules/transfers/transfer.events';
import type { KnownTransfer } from '../../modules/transfers/transfer.state';
import { transferOf, type TransferCredit } from './transfer-credit';
import type { TransferMatching } from './transfer-matching';
import { paidAtMs, type WatchedChains } from './transfer-moment';

export type TransferClaimsParts = {
  readonly writes: WritePath;
  readonly clock: MerchantClocks;
  readonly entropy: Entropy;
  readonly matching: TransferMatching;
  readonly credits: TransferCredit;
  readonly watched: WatchedChains;
};

/** A payment that has, or had, a transfer. */
export type Holder = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly id: string;
  readonly merchantId: string | null;
};

/** A transfer in a block, as its payment has it, or would have it. */
export type Place = Pick<LedgerTransfer, 'transfer_id' | 'tx_hash' | 'ordinal' | 'block_hash'>;

/** How often an end is tried anew that something was recorded in between. */
const RELEASE_TRIES = 3;

/** Keeps the claims on transfers in step with the payments that count them: committed before, let go after. */
export class TransferClaims {
  constructor(private readonly parts: TransferClaimsParts) {}

  /**
   * Commits the claim to the block in which the payment, as it was read, has the transfer; only then may the payment
   * count it. False where the claim is another payment's, or stands for another block: then both are brought in step
   * with the chain.
   */
  async commit(holder: Holder, transfer: LedgerTransfer): Promise<boolean> {
    const commit = { type: 'commit', paymentIntent: holder.id, blockHash: transfer.block_hash } as const;
    try {
      await this.execute(holder, keyOf(holder, transfer), commit);
      return true;
    } catch (error) {
      if (!isRefusal(error, 'attribution_already_exists') && !isRefusal(error, 'invalid_state_transition')) throw error;
      await this.bringInStep(holder, transfer);
      return false;
    }
  }

  /**
   * The payment has the transfer in another block than the chain, or the transfer's stream. The transfer is observed
   * where it stands, and withdrawn where it is not the payment's.
   */
  async bringInStep(holder: Holder, transfer: LedgerTransfer): Promise<void> {
    const key = keyOf(holder, transfer);
    await this.observe(holder.mode, key);
    const { state } = await this.parts.writes.load(transfers, holder.mode, transferStreamId(key));
    if (state.status !== 'none' && state.claim === holder.id) return;
    const { transfer_id: transferId, block_hash: blockHash } = transfer;
    await this.tell(holder, { type: 'withdraw_transfer', transferId, blockHash, reason: 'verification_failed' });
  }

  /**
   * Releases the claim, and looks where the transfer stands: as another one, it may be somebody else's now.
   */
  async letGo(holder: Holder, dropped: Place, reason: DropReason): Promise<void> {
    if (await this.release(holder, dropped, reason)) await this.observe(holder.mode, keyOf(holder, dropped));
  }

  /**
   * Ends the claim of a payment that has dropped the transfer, or never had it; a payment that has the transfer keeps
   * its claim. Safe at any time: the payment is read after the claim. The claim ends only as it was read, so that no
   * commitment can have come between. True where the transfer has left its block, which its stream records as well.
   */
  async release(holder: Holder, dropped: Place, reason: DropReason): Promise<boolean> {
    const { writes, credits } = this.parts;
    const key = keyOf(holder, dropped);
    for (let attempt = 1; attempt <= RELEASE_TRIES; attempt++) {
      const { state } = await writes.load(transfers, holder.mode, transferStreamId(key));
      if (state.status === 'none' || state.claim !== holder.id) return false;
      const { state: payment } = await writes.load(paymentIntents, holder.mode, holder.id);
      if (transferOf(payment, dropped.transfer_id) !== null) return false;
      const end = reason === 'surplus' ? endOfSurplus(state, payment, holder, dropped) : endOf(state, holder, dropped);
      const ended = await this.execute(holder, key, end);
      if (ended.events.length === 0) continue;
      return end.type === 'let_go';
    }
    // The same money stands in another block: to be credited there, or to the queue.
    await credits.finish(holder.mode, key);
    return false;
  }

  /**
   * Looks at the chain and matches the transfer where it stands. False while the chain moves under the look, and where
   * its payment's time is not covered yet: whoever must not lose the transfer looks again.
   */
  async observe(mode: Mode, key: TransferKey): Promise<boolean> {
    const { writes, matching, watched } = this.parts;
    const place = watched(mode, key.network);
    const receipt = await place?.chain.receipt(key.txHash);
    const transfer = receipt?.succeeded ? receipt.transfers.find(({ ordinal }) => ordinal === key.ordinal) : undefined;
    if (!place || !receipt || !transfer || transfer.valueBaseUnits === 0n) return true;
    const block = await place.chain.agreedBlock(receipt.blockNumber);
    if (block === null)
      throw refuse('provider_unavailable', { message: `no two providers agree on block ${receipt.blockNumber}` });
    const token = tokenOf(mode, key.network, transfer);
    if (token === null) return true;
    if (block.hash !== receipt.blockHash) return false;
    const { state, history } = await writes.load(transfers, mode, transferStreamId(key));
    if (state.status === 'none' || state.seen.to !== transfer.to) return true;
    const firstSeenMs = place.sandbox ? paidAtMs(history, true) : null;
    const sighting = { mode, token, transfer, block, paidAtMs: firstSeenMs ?? block.timeMs };
    return matching.observe({ ...sighting, isNamed: true });
  }

  private async tell(holder: Holder, command: PaymentIntentCommand): Promise<void> {
    try {
      await this.parts.writes.execute(paymentIntents, holder.id, command, await this.context(holder));
    } catch (error) {
      if (!isRefusal(error, 'invalid_state_transition')) throw error;
    }
  }

  private async execute(holder: Holder, key: TransferKey, command: TransferCommand) {
    return this.parts.writes.execute(transfers, transferStreamId(key), command, await this.context(holder));
  }

  private async context({ mode, merchantId }: Holder) {
    const { clock, entropy } = this.parts;
    const now = await clock.merchantNow(mode, merchantId);
    return systemContext(entropy, { actor: 'watcher', mode, merchantId, now });
  }
}

function keyOf({ network }: Holder, { tx_hash: txHash, ordinal }: Place): TransferKey {
  return { network, txHash, ordinal };
}

function endOf({ recorded: asOf }: KnownTransfer, { id: paymentIntent }: Holder, { block_hash: blockHash }: Place) {
  return { type: 'let_go', paymentIntent, blockHash, asOf } as const;
}

/** To the queue, with the payment named; where an administrator gave it to the payment, they are told so. */
function endOfSurplus(state: KnownTransfer, payment: PaymentIntent, holder: Holder, dropped: Place): TransferCommand {
  const { recorded: asOf, status } = state;
  if (status === 'claimed') return { type: 'unmatch', paymentIntent: holder.id, asOf };
  if (status !== 'resolved') return endOf(state, holder, dropped);
  const refusal = claimRefusal(payment) ?? 'invalid_state_transition';
  return { type: 'fail_attribution', paymentIntent: holder.id, refusal, asOf };
}

function tokenOf(mode: Mode, network: NetworkId, { contract }: ObservedTransfer): Token | null {
  return Object.values(TOKENS).find(token => token.network === network && token.contract[mode] === contract) ?? null;
}
