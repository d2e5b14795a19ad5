import { systemContext, type CommandContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import { isRefusal, type ErrorCode } from '../../kernel/errors';
import type { Mode } from '../../kernel/event';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { Log } from '../../kernel/ports/log';
import type { WritePath } from '../../kernel/write-path';
import type { DetectedTransfer } from '../../modules/payment-intents/payment-intent.events';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type { PaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import { sightingOf } from '../../modules/payment-intents/payment-intent.transfers';
import { transferId, transfers, transferStreamId, type Transfer } from '../../modules/transfers/transfer.decider';
import type { TransferKey, TransferSeen } from '../../modules/transfers/transfer.events';

/** `none`: no claim stands on the transfer, so there is nothing to credit. */
export type CreditOutcome = 'credited' | 'refused' | 'none';

const CREDIT_TRIES = 3;

/** The second half of every attribution: gives a claimed or resolved transfer to its payment, or records that it could not take it. */
export class TransferCredit {
  constructor(
    private readonly writes: WritePath,
    private readonly clock: MerchantClocks,
    private readonly entropy: Entropy,
    private readonly log: Log,
  ) {}

  /**
   * Safe to call at any time and as often as one likes: what is done is found done. A transfer that moved as it was credited may have been written
   * as it was before, over what another process knew better: it is looked at once more.
   */
  async finish(mode: Mode, key: TransferKey): Promise<CreditOutcome> {
    for (let attempt = 1; ; attempt++) {
      const loaded = await this.writes.load(transfers, mode, transferStreamId(key));
      const outcome = await this.finishAs(mode, key, loaded.state);
      if (outcome !== 'credited' || attempt >= CREDIT_TRIES) return outcome;
      const { state, revision } = await this.writes.load(transfers, mode, transferStreamId(key));
      if (revision === loaded.revision) return outcome;
      if (loaded.state.status !== 'none' && !isClaimedBy(state, loaded.state.claim))
        await this.withdraw(mode, loaded.state.claim, detectedTransfer(key, loaded.state.seen));
    }
  }

  private async finishAs(mode: Mode, key: TransferKey, state: Transfer): Promise<CreditOutcome> {
    if (state.status === 'none' || state.claim === null || !isClaimed(state)) return 'none';
    const by = state.claim;
    const refusal = await this.credit(mode, by, detectedTransfer(key, state.seen));
    if (refusal === null) return 'credited';
    this.log.warn({ transfer: key, payment_intent: by, refusal }, 'credit refused: the transfer is counted for nobody');
    const merchantId = await this.merchantOf(mode, by);
    const command =
      state.status === 'resolved'
        ? ({ type: 'fail_attribution', by, refusal } as const)
        : ({ type: 'unmatch', by } as const);
    const context = await this.context('matcher', mode, merchantId);
    await this.writes.execute(transfers, transferStreamId(key), command, context);
    return 'refused';
  }

  /** Null when the payment has the transfer; the refusal when it cannot take it any more. The actor follows from the state, which may move meanwhile. */
  private async credit(mode: Mode, paymentIntent: string, transfer: DetectedTransfer): Promise<ErrorCode | null> {
    for (let attempt = 1; ; attempt++) {
      const { state, history } = await this.writes.load(paymentIntents, mode, paymentIntent);
      const merchantId = history[0]?.metadata.merchant_id ?? null;
      const sighting = sightingOf(state, transfer);
      const isMatchers = state.status === 'underpaid' || state.status === 'expired';
      const actor = sighting.type === 'see_transfer' && isMatchers ? 'matcher' : 'watcher';
      const context = await this.context(actor, mode, merchantId);
      try {
        await this.writes.execute(paymentIntents, paymentIntent, sighting, context);
        return null;
      } catch (error) {
        if (isRefusal(error, 'forbidden_actor') && attempt < CREDIT_TRIES) continue;
        if (!isRefusal(error, 'invalid_state_transition') && !isRefusal(error, 'payment_not_found')) throw error;
        // What the payment has already is its own, whatever it can take no more: in the queue it could be counted twice.
        return knows(state, transfer) ? null : error.code;
      }
    }
  }

  /** The claim ended as its transfer was credited: so does the credit, unless the payment knows of another block since. */
  private async withdraw(
    mode: Mode,
    paymentIntent: string | null,
    { transfer_id: transferId, block_hash: blockHash }: DetectedTransfer,
  ): Promise<void> {
    if (paymentIntent === null) return;
    const context = await this.context('watcher', mode, await this.merchantOf(mode, paymentIntent));
    const drop = { type: 'drop_transfer', transferId, blockHash, reason: 'reorged_out' } as const;
    try {
      await this.writes.execute(paymentIntents, paymentIntent, drop, context);
    } catch (error) {
      if (!isRefusal(error, 'invalid_state_transition')) throw error;
    }
  }

  private async merchantOf(mode: Mode, paymentIntent: string): Promise<string | null> {
    const { history } = await this.writes.load(paymentIntents, mode, paymentIntent);
    return history[0]?.metadata.merchant_id ?? null;
  }

  private async context(actor: 'watcher' | 'matcher', mode: Mode, merchantId: string | null): Promise<CommandContext> {
    const now = await this.clock.merchantNow(mode, merchantId);
    return systemContext(this.entropy, { actor, mode, merchantId, now });
  }
}

function knows(state: PaymentIntent, { transfer_id: id }: DetectedTransfer): boolean {
  return state.status !== 'none' && state.quote !== null && state.ledger.transfers[id] !== undefined;
}

function isClaimedBy(state: Transfer, by: string | null): boolean {
  return isClaimed(state) && state.status !== 'none' && state.claim === by;
}

function isClaimed({ status }: Transfer): boolean {
  return status === 'claimed' || status === 'resolved';
}

function detectedTransfer(key: TransferKey, seen: TransferSeen['data']): DetectedTransfer {
  const { token_id: _token, to: _to, ...facts } = seen;
  return { transfer_id: transferId(key), tx_hash: key.txHash, ordinal: key.ordinal, ...facts };
}
