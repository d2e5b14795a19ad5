import { isoTime, type Clock } from '../../kernel/clock';
import { systemContext, type CommandContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import { isRefusal } from '../../kernel/errors';
import type { Mode } from '../../kernel/event';
import type { BlockHeader, ObservedTransfer } from '../../kernel/ports/chain';
import type { Log } from '../../kernel/ports/log';
import type { Token } from '../../kernel/tokens';
import type { WritePath } from '../../kernel/write-path';
import {
  amountSlotId,
  amountSlots,
  reservationAt,
  type Reservation,
} from '../../modules/amount-slots/amount-slot.decider';
import type { DetectedTransfer } from '../../modules/payment-intents/payment-intent.events';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import { slotOfAmount } from '../../modules/quotes/amount-grid';
import { transferId, transfers, transferStreamId } from '../../modules/transfers/transfer.decider';

export type Sighting = {
  readonly mode: Mode;
  readonly token: Token;
  readonly transfer: ObservedTransfer;
  readonly block: BlockHeader;
  /** Moment at which a reservation must have been open: the block's time; on a sandbox chain the clock at first sight. */
  readonly paidAtMs: number;
};

/** How far a chain's clock may run behind the service's before a payer's transfer seems older than its reservation. */
const CLOCK_SKEW_MS = 120_000;
/** A hundredth of a token: below it, what matches nothing is dust and gets no stream. */
const DUST_PER_TOKEN = 100n;
const CREDIT_TRIES = 3;

/** Finds whose transfer it is, claims it, then credits it: each step idempotent, so a kill between them is mended by seeing the transfer again. */
export class TransferMatching {
  private dust = 0;

  constructor(
    private readonly writes: WritePath,
    private readonly clock: Clock,
    private readonly entropy: Entropy,
    private readonly log: Log,
  ) {}

  /** Returns once the transfer is credited, or recorded as unmatched. */
  async observe(sighting: Sighting): Promise<void> {
    const { mode, token, transfer, block } = sighting;
    const reservation = await this.reservationFor(sighting);
    const value = transfer.valueBaseUnits;
    if (!reservation && value * DUST_PER_TOKEN < 10n ** BigInt(token.decimals)) {
      this.dust += 1;
      return;
    }
    const key = { network: token.network, txHash: transfer.txHash, ordinal: transfer.ordinal };
    const seen = {
      token_id: token.id,
      from: transfer.from,
      to: transfer.to,
      value_base_units: value.toString(),
      block_number: transfer.blockNumber,
      block_hash: transfer.blockHash,
      block_time: isoTime(block.timeMs),
    };
    const claim = reservation?.payment_intent ?? null;
    const context = this.context('watcher', mode, reservation?.merchant_id ?? null);
    const executed = await this.writes.execute(transfers, transferStreamId(key), { type: 'see', seen, claim }, context);
    if (executed.state.status !== 'claimed' || executed.state.claim === null) return;
    const { token_id: _token, to: _to, ...facts } = seen;
    const detected = { transfer_id: transferId(key), tx_hash: key.txHash, ordinal: key.ordinal, ...facts };
    const credited = await this.credit(mode, executed.state.claim, detected);
    if (credited) return;
    this.log.warn(
      { transfer: key, payment_intent: executed.state.claim },
      'credit refused: transfer goes to the unmatched queue',
    );
    const matcher = this.context('matcher', mode, reservation?.merchant_id ?? null);
    await this.writes.execute(transfers, transferStreamId(key), { type: 'unmatch' }, matcher);
  }

  get dustCount(): number {
    return this.dust;
  }

  private async reservationFor({ mode, token, transfer, paidAtMs }: Sighting): Promise<Reservation | null> {
    const slot = slotOfAmount(token, transfer.valueBaseUnits);
    if (slot === null) return null;
    const id = amountSlotId(token.network, transfer.to, token.id, slot);
    const { state } = await this.writes.load(amountSlots, mode, id);
    return reservationAt(state, paidAtMs, CLOCK_SKEW_MS);
  }

  /** False when the payment cannot take the transfer any more. The actor follows from the state, which may move meanwhile. */
  private async credit(mode: Mode, paymentIntent: string, transfer: DetectedTransfer): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      const { state, history } = await this.writes.load(paymentIntents, mode, paymentIntent);
      const merchantId = history[0]?.metadata.merchant_id ?? null;
      const actor = state.status === 'underpaid' || state.status === 'expired' ? 'matcher' : 'watcher';
      try {
        await this.writes.execute(
          paymentIntents,
          paymentIntent,
          { type: 'see_transfer', transfer },
          this.context(actor, mode, merchantId),
        );
        return true;
      } catch (error) {
        if (isRefusal(error, 'forbidden_actor') && attempt < CREDIT_TRIES) continue;
        if (isRefusal(error, 'invalid_state_transition')) return false;
        throw error;
      }
    }
  }

  private context(actor: 'watcher' | 'matcher', mode: Mode, merchantId: string | null): CommandContext {
    return systemContext(this.entropy, { actor, mode, merchantId, now: this.clock.now() });
  }
}
