import { SECOND_MS } from '../../kernel/clock';
import { isRefusal } from '../../vocabulary/errors';
import { Interruptions } from '../../kernel/interruptions';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import { outageOf } from '../../kernel/outage';
import type { LookedUp } from '../../kernel/ports/chain';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import { TOKENS } from '../../vocabulary/tokens';
import type { NetworkId } from '../../vocabulary/networks';
import type { WritePath } from '../../kernel/write-path';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import { namedTransfer } from '../../modules/transfers/named-transfer';
import { isWaiting, namings, type Naming } from '../../modules/transfers/naming.decider';
import { transfers, transferStreamId } from '../../modules/transfers/transfer.decider';
import type { NamingAnswers } from './naming-answers';
import { NamingSweep } from './naming-sweep';
import type { TransactionLookUps } from './transaction-look-ups';
import type { TransferMatching } from './transfer-matching';
import { isAfterQuote, paidNowMs, type WatchedChains } from './transfer-moment';
import type { WaitingNaming, WaitingNamings } from './waiting-namings';

const POLL_MS = SECOND_MS;
/** Namings of one round, however many of them need no question to the chain. */
const MOST_OF_ROUND = 50;

export type NamingLooksParts = {
  readonly writes: WritePath;
  readonly readModels: ReadModels;
  readonly lookUps: TransactionLookUps;
  readonly waiting: WaitingNamings;
  readonly matching: TransferMatching;
  readonly answers: NamingAnswers;
  readonly watched: WatchedChains;
  readonly clock: MerchantClocks;
  readonly log: Log;
};

/**
 * Looks at the chain for namings that were filed before anybody could, within a budget of its own. A naming that is
 * still pending after its look is met again by the sweep over all namings.
 */
export class NamingLooks {
  private readonly sweep: NamingSweep;
  /** The rounds by network, so that a slow provider holds up the namings of its own network only. */
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly interruptions: Interruptions;

  constructor(private readonly parts: NamingLooksParts) {
    this.sweep = new NamingSweep(parts.waiting, parts.readModels, parts.clock);
    this.interruptions = new Interruptions(parts.clock, parts.log, 'filed namings could not be looked at');
  }

  /** Resolves when `signal` aborts, and the looks under way are done. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.begin();
      await this.parts.clock.wait(POLL_MS, signal);
    }
    await Promise.all(this.underWay.values());
  }

  /** Looks at as many namings as the budget allows. The namings of one network do not wait for those of another. */
  async round(): Promise<void> {
    await this.begin();
    await Promise.all(this.underWay.values());
  }

  private async begin(): Promise<void> {
    try {
      await this.sweep.step();
    } catch (error) {
      this.interruptions.tell(error, {});
    }
    for (const place of this.parts.waiting.waitingPlaces) {
      if (this.underWay.has(place)) continue;
      this.underWay.set(
        place,
        this.lookIn(place).finally(() => this.underWay.delete(place)),
      );
    }
  }

  private async lookIn(place: string): Promise<void> {
    const { waiting } = this.parts;
    for (let looked = 0; looked < MOST_OF_ROUND; looked++) {
      const naming = waiting.first(place);
      if (naming === null || !(await this.isDone(naming))) return;
      waiting.remove(naming);
    }
  }

  /** A fault of one naming holds up none of the others; the next sweep meets the naming again. */
  private async isDone(naming: WaitingNaming): Promise<boolean> {
    try {
      return await this.look(naming);
    } catch (error) {
      const { mode, namingsId, paymentIntent } = naming;
      this.interruptions.tell(error, { mode, namings: namingsId, payment_intent: paymentIntent });
      if (outageOf(error) === null) return true;
      // Other namings may need nothing of the part that is away.
      this.parts.waiting.postpone(naming);
      return false;
    }
  }

  /** False while the budget is used up, or no provider can be asked. */
  private async look(waiting: WaitingNaming): Promise<boolean> {
    const { writes, lookUps, answers } = this.parts;
    const { mode, namingsId, paymentIntent } = waiting;
    const { state } = await writes.load(namings, mode, namingsId);
    const naming = state.namings[paymentIntent];
    // Perhaps no look was possible before the naming's day was over, and its transfer may have come within that day.
    if (naming?.status !== 'pending') return true;
    const [network, txHash] = namingsId.split(':') as [NetworkId, string];
    const look = await lookUps.look({ mode, network, txHash, merchantId: null });
    switch (look.kind) {
      case 'later':
        return false;
      case 'unknown':
        // The watcher may see the transfer when it comes into a block; the next sweep looks again.
        return true;
      case 'too_large':
        await answers.record(waiting, naming, { type: 'refer', paymentIntent, reason: 'transaction_too_large' });
        return true;
      case 'found':
        await this.found(waiting, naming, network, look);
        await answers.ofTransaction({ mode, cause: null }, namingsId, paymentIntent);
        return true;
    }
  }

  /** Refuses a naming that means nothing in the transaction; records the transfer that it means. */
  private async found(
    waiting: WaitingNaming,
    naming: Naming,
    network: NetworkId,
    { receipt, block }: LookedUp & { readonly kind: 'found' },
  ): Promise<void> {
    const { writes, matching, watched, clock } = this.parts;
    const { mode, merchantId, paymentIntent } = waiting;
    const { state } = await writes.load(paymentIntents, mode, paymentIntent);
    if (state.status === 'none' || state.quote === null) return;
    const token = TOKENS[state.quote.token_id];
    const paidAtMs = paidNowMs(watched(mode, network), block, clock.now());
    const paidAt = await clock.merchantTimeAt(mode, merchantId, paidAtMs);
    if (!isWaiting(naming, paidAt)) return;
    try {
      const transfer = namedTransfer(receipt, { mode, token, address: state.quote.address }, naming.logIndex);
      const key = { network, txHash: transfer.txHash, ordinal: transfer.ordinal };
      const { state: known } = await writes.load(transfers, mode, transferStreamId(key));
      if (known.status !== 'none' && known.seen.block_hash === block.hash) return;
      if (isAfterQuote(state, paidAt)) return;
      await matching.observe({ mode, token, transfer, block, paidAtMs, isNamed: true });
    } catch (error) {
      if (!isRefusal(error, 'invalid_tx_hash') && !isRefusal(error, 'invalid_log_index')) throw error;
      await this.parts.answers.record(waiting, naming, { type: 'refuse', paymentIntent, refusal: error.code });
    }
  }
}
