import { systemContext, type CommandContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import { isRefusal, type ErrorCode } from '../../kernel/errors';
import type { Mode } from '../../kernel/event';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { Log } from '../../kernel/ports/log';
import { Tally } from '../../kernel/tally';
import type { WritePath } from '../../kernel/write-path';
import type { DetectedTransfer } from '../../modules/payment-intents/payment-intent.events';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type { LedgerTransfer, PaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import { sightingOf, takesNoFurther } from '../../modules/payment-intents/payment-intent.transfers';
import { TRANSITIONS } from '../../modules/payment-intents/payment-intent.transitions';
import { transferId, transfers, transferStreamId } from '../../modules/transfers/transfer.decider';
import type { TransferKey, TransferSeen } from '../../modules/transfers/transfer.events';
import type { KnownTransfer, Transfer } from '../../modules/transfers/transfer.state';

/** `none`: no claim stands on the transfer, so there is nothing to credit. */
export type CreditOutcome = 'credited' | 'refused' | 'none';

const CREDIT_TRIES = 3;

/**
 * The second half of every attribution: gives a claimed or resolved transfer to its payment, or records that it could
 * not take it.
 */
export class TransferCredit {
  private readonly refused: Tally;

  constructor(
    private readonly writes: WritePath,
    private readonly clock: MerchantClocks,
    private readonly entropy: Entropy,
    log: Log,
  ) {
    this.refused = new Tally(clock, log, 'credits refused: the transfers are counted for nobody');
  }

  /**
   * Safe to call at any time and as often as one likes, because a finished credit is found finished. A transfer may
   * move while it is credited. The credit may then have written the transfer's old place over a newer one that another
   * process knew. So such a transfer is looked at once more.
   */
  async finish(mode: Mode, key: TransferKey): Promise<CreditOutcome> {
    for (let attempt = 1; ; attempt++) {
      const { state: claimed } = await this.writes.load(transfers, mode, transferStreamId(key));
      if (claimed.status === 'none' || claimed.claim === null || !isClaimed(claimed)) return 'none';
      const refusal = await this.credit(mode, claimed.claim, detectedTransfer(key, claimed.seen));
      if (refusal !== null) {
        const isEnded = await this.endClaim(mode, key, claimed, claimed.claim, refusal);
        if (isEnded || attempt >= CREDIT_TRIES) return isEnded ? 'refused' : 'none';
        continue;
      }
      const { state } = await this.writes.load(transfers, mode, transferStreamId(key));
      const isOthers = state.status === 'none' || state.claim !== claimed.claim;
      if (isOthers) await this.withdraw(mode, claimed.claim, detectedTransfer(key, claimed.seen));
      const isDone = !isOthers && (state.recorded === claimed.recorded || !isClaimed(state));
      if (isDone || attempt >= CREDIT_TRIES) return 'credited';
    }
  }

  /**
   * The payment was read after the claim, and has not got the transfer. False where something was recorded of the
   * transfer since.
   */
  private async endClaim(
    mode: Mode,
    key: TransferKey,
    { status, recorded: asOf }: KnownTransfer,
    paymentIntent: string,
    refusal: ErrorCode,
  ): Promise<boolean> {
    const command =
      status === 'resolved'
        ? ({ type: 'fail_attribution', paymentIntent, refusal, asOf } as const)
        : ({ type: 'unmatch', paymentIntent, asOf } as const);
    const context = await this.context('matcher', mode, await this.merchantOf(mode, paymentIntent));
    const { events } = await this.writes.execute(transfers, transferStreamId(key), command, context);
    if (events.length === 0) return false;
    this.refused.add({ transfer: key, payment_intent: paymentIntent, refusal });
    return true;
  }

  /**
   * Null when the payment has the transfer; the refusal when it cannot take it any more. The actor follows from the
   * state, which may move meanwhile.
   */
  private async credit(mode: Mode, paymentIntent: string, transfer: DetectedTransfer): Promise<ErrorCode | null> {
    for (let attempt = 1; ; attempt++) {
      const { state, history } = await this.writes.load(paymentIntents, mode, paymentIntent);
      const merchantId = history[0]?.metadata.merchant_id ?? null;
      const sighting = sightingOf(state, transfer);
      const isMatchers = state.status === 'underpaid' || state.status === 'expired';
      const actor = sighting.type === 'see_transfer' && isMatchers ? 'matcher' : 'watcher';
      const context = await this.context(actor, mode, merchantId);
      try {
        const taken = await this.writes.execute(paymentIntents, paymentIntent, sighting, context);
        if (!isTurnedAway(taken.state, transfer)) return null;
        await this.dropMoved(mode, paymentIntent, taken.state, transfer);
        return 'invalid_state_transition';
      } catch (error) {
        if (isRefusal(error, 'forbidden_actor') && attempt < CREDIT_TRIES) continue;
        if (!isRefusal(error, 'invalid_state_transition') && !isRefusal(error, 'payment_not_found')) throw error;
        if (isTurnedAway(state, transfer)) await this.dropMoved(mode, paymentIntent, state, transfer);
        // What the payment has already is its own, whatever it can take no more: in the queue it could be counted
        // twice.
        else return transferOf(state, transfer.transfer_id) ? null : error.code;
        return error.code;
      }
    }
  }

  /** A payment that takes no more transfers lets go of what has left the block in which it had it. */
  private async dropMoved(
    mode: Mode,
    paymentIntent: string,
    state: PaymentIntent,
    moved: DetectedTransfer,
  ): Promise<void> {
    const held = transferOf(state, moved.transfer_id);
    if (held === null) return;
    const { transfer_id: transferId, block_hash: blockHash } = held;
    const drop = { type: 'drop_transfer', transferId, blockHash, reason: 'reorged_out' } as const;
    const context = await this.context('watcher', mode, await this.merchantOf(mode, paymentIntent));
    await this.writes.execute(paymentIntents, paymentIntent, drop, context);
  }

  /**
   * The claim ended as its transfer was credited: so does the credit, unless the payment knows of another block since,
   * or counts it.
   */
  private async withdraw(
    mode: Mode,
    paymentIntent: string,
    { transfer_id: transferId, block_hash: blockHash }: DetectedTransfer,
  ): Promise<void> {
    const context = await this.context('watcher', mode, await this.merchantOf(mode, paymentIntent));
    const withdraw = { type: 'withdraw_transfer', transferId, blockHash, reason: 'reorged_out' } as const;
    try {
      await this.writes.execute(paymentIntents, paymentIntent, withdraw, context);
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

/** It takes no more transfers, and has not got this one where it is. */
function isTurnedAway(state: PaymentIntent, { transfer_id: id, block_hash: hash }: DetectedTransfer): boolean {
  return takesNoFurther(state) && isOpen(state) && transferOf(state, id)?.block_hash !== hash;
}

/** Whether it would take a transfer, had it not so many. */
function isOpen({ status }: PaymentIntent): boolean {
  return status !== 'none' && TRANSITIONS[status].see_transfer !== undefined;
}

/** Null where the payment has it not, or no more. */
export function transferOf(state: PaymentIntent, transferId: string): LedgerTransfer | null {
  if (state.status === 'none' || state.quote === null) return null;
  return state.ledger.transfers[transferId] ?? null;
}

function isClaimed({ status }: Transfer): boolean {
  return status === 'claimed' || status === 'resolved';
}

function detectedTransfer(key: TransferKey, seen: TransferSeen['data']): DetectedTransfer {
  const { token_id: _token, to: _to, ...facts } = seen;
  return { transfer_id: transferId(key), tx_hash: key.txHash, ordinal: key.ordinal, ...facts };
}
