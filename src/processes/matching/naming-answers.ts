import type { MerchantContext } from '../../kernel/command-context';
import { everyDocument } from '../../kernel/every-document';
import type { RecordedEvent } from '../../kernel/event';
import type { Mode } from '../../vocabulary/modes';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import { outageOf } from '../../kernel/outage';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { Occasion, SystemCommands } from '../../kernel/system-commands';
import { TOKENS } from '../../vocabulary/tokens';
import type { NetworkId } from '../../vocabulary/networks';
import type { WritePath } from '../../kernel/write-path';
import { isInferredYet } from '../../modules/payment-intents/payment-intent.claimable';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import { isFitting } from '../../modules/transfers/named-transfer';
import {
  namingsIdsOf,
  isWaiting,
  namingIdOf,
  namings,
  type Naming,
  type NamingCommand,
} from '../../modules/transfers/naming.decider';
import type { NamingSide } from '../../modules/transfers/naming.events';
import { namingsReadModel } from '../../modules/transfers/namings.read-model';
import { transferId, transfers, transferStreamId } from '../../modules/transfers/transfer.decider';
import type { TransferKey, TransferSeen } from '../../modules/transfers/transfer.events';
import { unmatchedTransfersReadModel } from '../../modules/transfers/unmatched-transfers.read-model';
import { isNamingsOwn, type NamedPayment, type TransferAttribution } from './attribution';
import type { Look, TransactionLookUps } from './transaction-look-ups';
import { paidAtMs, type WatchedChains } from './transfer-moment';
import type { WaitingNaming, WaitingNamings } from './waiting-namings';

/** Transfers of one transaction, and namings of one payment, that are read at once; the next page follows. */
const PAGE = 50;

export type NamingAnswersParts = {
  readonly writes: WritePath;
  readonly commands: SystemCommands;
  readonly readModels: ReadModels;
  readonly attribution: TransferAttribution;
  readonly watched: WatchedChains;
  readonly lookUps: TransactionLookUps;
  /** The namings that cannot be looked at now wait here. */
  readonly waiting: WaitingNamings;
  readonly clock: MerchantClocks;
};

/** Answers the filed namings: when their transaction is seen, and when their payment can be decided on. */
export class NamingAnswers {
  private readonly commands: SystemCommands;

  constructor(private readonly parts: NamingAnswersParts) {
    this.commands = parts.commands.of('namings');
  }

  /**
   * Answers a naming that was filed when the transfer was there already: it came between the look at the chain and the
   * filing.
   */
  async ofTransaction(occasion: Occasion, namingsId: string, paymentIntent: string): Promise<void> {
    const [network, txHash, ordinal] = namingsId.split(':') as [NetworkId, string, string?];
    if (ordinal !== undefined)
      return this.answerIn(occasion, namingsId, { network, txHash, ordinal: Number(ordinal) }, paymentIntent);
    const equals = { mode: occasion.mode, network_id: network, tx_hash: txHash };
    const query = { index: 'by_transaction', equals, limit: PAGE };
    let seenIn: string | null = null;
    for await (const { body } of everyDocument(this.parts.readModels, unmatchedTransfersReadModel, query)) {
      await this.answerIn(occasion, namingsId, { network, txHash, ordinal: body.ordinal }, paymentIntent);
      seenIn = body.block_hash;
    }
    if (seenIn !== null) await this.refuseElsewhere(occasion, namingsId, { network, txHash }, seenIn, paymentIntent);
  }

  /** Gives the transfer to the first payment that named it, or its transaction, and still waits for it. */
  async ofTransfer(occasion: Occasion, key: TransferKey): Promise<void> {
    for (const namingsId of namingsIdsOf(key)) await this.answerIn(occasion, namingsId, key, null);
  }

  /**
   * The payment waits for its quote's end no more: its namings can be decided on. A naming at fault holds up none of
   * the others.
   */
  async ofPayment(occasion: Occasion, paymentIntent: string): Promise<void> {
    const equals = { mode: occasion.mode, payment_intent: paymentIntent, status: 'pending' };
    const query = { index: 'by_payment', equals, limit: PAGE };
    let fault: Error | null = null;
    for await (const { body } of everyDocument(this.parts.readModels, namingsReadModel, query)) {
      try {
        await this.ofTransaction(occasion, body.namings_id, paymentIntent);
      } catch (error) {
        if (outageOf(error) !== null || !(error instanceof Error)) throw error;
        fault = error;
      }
    }
    if (fault !== null) throw fault;
  }

  /** `only`: the payment whose naming is answered; null for all payments. */
  private async answerIn(occasion: Occasion, namingsId: string, key: TransferKey, only: string | null): Promise<void> {
    const { state } = await this.commands.read(namings, occasion.mode, namingsId);
    for (const naming of Object.values(state.namings))
      if (only === null || naming.paymentIntent === only) await this.answer(occasion, key, namingsId, naming);
  }

  private async answer(occasion: Occasion, key: TransferKey, namingsId: string, naming: Naming): Promise<void> {
    const { mode, cause } = occasion;
    const { paymentIntent, side } = naming;
    if (naming.status !== 'pending' || (naming.logIndex !== null && naming.logIndex !== key.ordinal)) return;
    const { state, owner: merchantId } = await this.commands.read(paymentIntents, mode, paymentIntent);
    if (state.status === 'none' || state.quote === null || merchantId === null) return;
    const { state: transfer, history: sightings } = await this.commands.read(transfers, mode, transferStreamId(key));
    // A transfer that a reorganisation took is seen again in its new block.
    if (transfer.status === 'none' || transfer.status === 'reorged_out') return;
    // The transfer's own moment counts: the naming may be looked at late, or have had to wait for its payment.
    const cameAt = paidAtMs(sightings, this.parts.watched(mode, key.network));
    if (cameAt === null || !isWaiting(naming, await this.parts.clock.merchantTimeAt(mode, merchantId, cameAt))) return;
    const { address, token_id } = state.quote;
    const isElsewhere = transfer.seen.to !== address || transfer.seen.token_id !== token_id;
    // A naming of the whole transaction may mean another transfer, one to the payment's address.
    if (isElsewhere && naming.logIndex === null) return;
    const look = naming.logIndex === null ? await this.look(mode, key, transfer.seen.block_hash) : null;
    if (look?.kind === 'later') return this.parts.waiting.put({ mode, merchantId, namingsId, paymentIntent });
    const isAmbiguous = look !== null && hasSiblings(look, mode, key, transfer.seen);
    // The payment has the transfer already, from before a death or by its amount: its present state is not asked.
    const has = state.ledger.transfers[transferId(key)] !== undefined && !isInferredYet(state, transferId(key));
    const isOwn = transfer.claim === paymentIntent && has;
    const outcome: NamingCommand | null =
      look?.kind === 'too_large' && !isOwn
        ? { type: 'refer', paymentIntent, reason: 'transaction_too_large' }
        : isElsewhere || isAmbiguous
          ? { type: 'refuse', paymentIntent, refusal: 'invalid_log_index' }
          : isOwn
            ? { type: 'attribute', paymentIntent, transferId: transferId(key) }
            : await this.decided(namingsId, { id: paymentIntent, merchantId }, key, side, occasion);
    if (outcome !== null) await this.record({ mode, merchantId, namingsId }, naming, outcome, cause);
  }

  /** Records nothing where the naming was filed anew since: that filing has an event, and an answer, of its own. */
  async record(
    { mode, merchantId, namingsId }: Pick<WaitingNaming, 'mode' | 'merchantId' | 'namingsId'>,
    { paymentIntent, filings }: Naming,
    command: NamingCommand,
    cause: RecordedEvent | null = null,
  ): Promise<void> {
    await this.commands.execute(
      namings,
      namingsId,
      ({ state }) =>
        state.namings[paymentIntent]?.filings === filings ? { command, actor: 'matcher', merchantId } : null,
      { mode, cause },
    );
  }

  /** Refuses a naming on a transaction that was seen, and that moves nothing to the payment's address in its token. */
  private async refuseElsewhere(
    { mode, cause }: Occasion,
    namingsId: string,
    transaction: Pick<TransferKey, 'network' | 'txHash'>,
    seenIn: string,
    paymentIntent: string,
  ): Promise<void> {
    const { state: filed } = await this.commands.read(namings, mode, namingsId);
    const { state, owner: merchantId } = await this.commands.read(paymentIntents, mode, paymentIntent);
    const naming = filed.namings[paymentIntent];
    if (naming?.status !== 'pending' || merchantId === null) return;
    if (state.status === 'none' || state.quote === null) return;
    const to = { mode, token: TOKENS[state.quote.token_id], address: state.quote.address };
    const look = await this.look(mode, transaction, seenIn);
    if (look.kind === 'later') return this.parts.waiting.put({ mode, merchantId, namingsId, paymentIntent });
    if (look.kind !== 'found' || look.receipt.transfers.some(each => isFitting(each, to))) return;
    const refusal = { type: 'refuse', paymentIntent, refusal: 'invalid_tx_hash' } as const;
    await this.record({ mode, merchantId, namingsId }, naming, refusal, cause);
  }

  /**
   * Null while the naming has to wait for the end of its payment's quote. `ofPayment` comes back to the naming later,
   * so the naming must be found by its payment first. After that the payment is asked once more, since its quote may
   * have ended in between.
   */
  private async decided(
    namingsId: string,
    payment: NamedPayment,
    key: TransferKey,
    side: NamingSide,
    { mode, cause }: Occasion,
  ): Promise<NamingCommand | null> {
    const context = await this.commands.as('matcher', mode, payment.merchantId, { cause });
    const outcome = await this.outcomeOf(payment, key, side, context);
    if (outcome !== null) return outcome;
    await this.findNaming(mode, namingsId, payment.id);
    return this.outcomeOf(payment, key, side, context);
  }

  private async findNaming(mode: Mode, namingsId: string, paymentIntent: string): Promise<void> {
    const id = namingIdOf(namingsId, paymentIntent);
    const { writes, readModels } = this.parts;
    await writes.assertFound(namings, mode, namingsId, async () => {
      const found = await readModels.get(namingsReadModel, mode, id);
      return found?.body.status === 'pending';
    });
  }

  /** The outcome to record for the naming; null while there is none. */
  private async outcomeOf(
    payment: NamedPayment,
    key: TransferKey,
    side: NamingSide,
    context: MerchantContext,
  ): Promise<NamingCommand | null> {
    const naming = { paymentIntent: payment.id, transferId: transferId(key) };
    try {
      const outcome = await this.parts.attribution.attribute(payment, key, side, context);
      if (outcome.kind === 'waiting') return null;
      if (outcome.kind === 'attributed') return { type: 'attribute', ...naming };
      return { type: 'keep', ...naming, reason: outcome.reason };
    } catch (error) {
      if (!isNamingsOwn(error)) throw error;
      return { type: 'refuse', paymentIntent: payment.id, refusal: error.code };
    }
  }

  private look(
    mode: Mode,
    { network, txHash }: Pick<TransferKey, 'network' | 'txHash'>,
    seenIn: string,
  ): Promise<Look> {
    return this.parts.lookUps.look({ mode, network, txHash, merchantId: null, seenIn });
  }
}

/**
 * Other transfers of the transaction to the same address: nobody has said which of them is meant. The chain tells,
 * since the watcher may have recorded some of them only. A transfer that the chain does not show now is seen again in
 * its new block.
 */
function hasSiblings(look: Look, mode: Mode, key: TransferKey, { to, token_id }: TransferSeen['data']): boolean {
  if (look.kind !== 'found') return false;
  const others = look.receipt.transfers.filter(({ ordinal }) => ordinal !== key.ordinal);
  return others.some(each => isFitting(each, { mode, token: TOKENS[token_id], address: to }));
}
