import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DAY_MS, parseIsoTime } from '../../kernel/clock';
import { withCommand, withoutClock, type MerchantContext } from '../../kernel/command-context';
import { refuse } from '../../vocabulary/errors';
import { isId } from '../../vocabulary/ids';
import { outageOf } from '../../kernel/outage';
import type { Mode } from '../../vocabulary/modes';
import type { Loaded } from '../../kernel/loaded';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { LookedUp } from '../../kernel/ports/chain';
import { TOKENS } from '../../vocabulary/tokens';
import { familyOf, NETWORKS, networksOf } from '../../vocabulary/networks';
import type { WritePath } from '../../kernel/write-path';
import { claimRefusal, isInferredYet } from '../../modules/payment-intents/payment-intent.claimable';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../../modules/payment-intents/payment-intent.events';
import type { PaymentIntent, QuotedPaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import {
  AttributeTransaction,
  type AttributionOutcome,
  type NamedTransaction,
} from '../../modules/transfers/commands/attribute-transaction.command';
import { isToItself, namedTransfer, transferToItself } from '../../modules/transfers/named-transfer';
import type { NamingSide } from '../../modules/transfers/naming.events';
import { namingsIdOf } from '../../modules/transfers/naming.decider';
import {
  invalidTxHash,
  transactionReference,
  type TransactionReference,
} from '../../modules/transfers/transaction-reference';
import { transferId, transfers, transferStreamId } from '../../modules/transfers/transfer.decider';
import type { TransferEvent, TransferKey } from '../../modules/transfers/transfer.events';
import { awaitsDecision, type Transfer } from '../../modules/transfers/transfer.state';
import type { Attribution, TransferAttribution } from './attribution';
import type { CheckoutNamings } from './checkout-namings';
import { NamingFiling, type Filing } from './naming-filing';
import type { TransactionLookUps } from './transaction-look-ups';
import type { TransferMatching } from './transfer-matching';
import { isAfterQuote, paidAtMs, paidNowMs, type WatchedChains } from './transfer-moment';

type NamingIntakeParts = {
  readonly writes: WritePath;
  readonly matching: TransferMatching;
  readonly attribution: TransferAttribution;
  readonly watched: WatchedChains;
  readonly lookUps: TransactionLookUps;
  readonly checkoutNamings: CheckoutNamings;
  readonly clock: MerchantClocks;
};

type NamedReference = TransactionReference & { readonly kind: 'transaction' };

type LoadedPayment = Loaded<PaymentIntent, PaymentIntentEvent>;
type LoadedTransfer = Loaded<Transfer, TransferEvent>;

type Named = Filing & {
  readonly mode: Mode;
  readonly state: QuotedPaymentIntent;
  /** The transfer of the queue that is named, with its stream; null where the naming is of no such transfer. */
  readonly queued: { readonly key: TransferKey; readonly transfer: LoadedTransfer } | null;
};

/**
 * A merchant names a transfer for an expired payment for so long after the quote's end. At checkout that time ends with
 * the window in which the payment can be paid.
 */
const NAMED_FOR_MS = 30 * DAY_MS;

/**
 * Takes the name of the transaction that paid. A transfer on the chain is attributed at once. A naming on any other
 * transaction is filed and waits.
 */
export class NamingIntake {
  private readonly filing: NamingFiling;

  constructor(private readonly parts: NamingIntakeParts) {
    this.filing = new NamingFiling(parts.writes);
  }

  /**
   * A naming of a transfer in the queue throws Refusal unmatched_transfer_not_found before any other, where that
   * transfer has left the queue. Throws Refusal invalid_tx_hash or invalid_log_index where no such transfer can be
   * meant. Throws Refusal duplicate_transaction where the payment has the transfer, and attribution_already_exists
   * where another payment has it. Throws Refusal reservation_not_found where the payment expired too long ago, or the
   * transfer is older than the quote. Also throws the refusals of the payment's state, and at checkout those of
   * `CheckoutNamings`.
   */
  async name(
    paymentIntent: string,
    { text, logIndex, queued: key }: NamedTransaction,
    side: NamingSide,
    context: MerchantContext,
  ): Promise<AttributionOutcome> {
    const queued = key ? { key, transfer: await this.queuedTransfer(key, context) } : null;
    // A person types the payment into the queue's form, so the text may be no id.
    if (queued && !isId('pi', paymentIntent)) throw refuse('payment_not_found', { param: 'payment_intent' });
    const { loaded, ...payment } = await this.payment(paymentIntent, context);
    const named: Named = { ...payment, logIndex, queued, side, context };
    const reference = transactionReference(named.network, text);
    const own = await this.ownWork(named, reference);
    if (own) return own;
    const refusal = claimRefusal(payment.state);
    if (refusal !== null) throw refuse(refusal);
    refuseOutlived(named);
    if (side === 'merchant') return this.judge(named, reference, loaded);
    const namingsId = namingsIdOf(named.network, reference, logIndex);
    // A turn waits for those before it, and so for their chains: payment and clock may have moved on meanwhile.
    const judge = () => this.judge({ ...named, context: withoutClock(context) }, reference, null);
    return this.parts.checkoutNamings.inTurn(payment.mode, payment.id, namingsId, judge);
  }

  private async judge(named: Named, reference: TransactionReference, payment: LoadedPayment | null) {
    if (reference.kind === 'exchange_transfer') return this.filing.file(named, reference, 'file_exchange_transfer');
    const recorded = await this.recorded(named, reference.txHash);
    if (!recorded) return this.lookedUp(named, reference);
    const { transfer, ...moment } = recorded;
    return this.attribute(named, reference, moment, payment, () => Promise.resolve(transfer));
  }

  private async queuedTransfer(key: TransferKey, { universe: mode }: MerchantContext): Promise<LoadedTransfer> {
    const transfer = await this.parts.writes.load(transfers, mode, transferStreamId(key));
    if (!awaitsDecision(transfer.state)) throw refuse('unmatched_transfer_not_found');
    return transfer;
  }

  private async payment(id: string, { universe: mode, merchantId }: MerchantContext) {
    const loaded = await this.parts.writes.load(paymentIntents, mode, id);
    const { state, history } = loaded;
    if (state.status === 'none' || history[0]?.metadata.merchant_id !== merchantId) throw refuse('payment_not_found');
    if (state.quote === null) throw refuse(state.status === 'canceled' ? 'payment_canceled' : 'payment_not_quoted');
    return { mode, id, merchantId, network: state.quote.network_id, state, loaded };
  }

  /**
   * Answers the outcome of an earlier try of this very command. Throws Refusal duplicate_transaction where somebody
   * else named the transaction.
   */
  private async ownWork(named: Named, reference: TransactionReference): Promise<AttributionOutcome | null> {
    if (reference.kind !== 'transaction') return null;
    const { network, state, logIndex, context } = named;
    const known = Object.values(state.ledger.transfers).find(({ tx_hash, ordinal }) => {
      return tx_hash === reference.txHash && (logIndex === null || ordinal === logIndex);
    });
    if (!known || isInferredYet(state, known.transfer_id)) return null;
    const { history } = await this.transferOf(named, { network, txHash: known.tx_hash, ordinal: known.ordinal });
    const { commandId } = withCommand(context, 'claim');
    if (!history.some(({ metadata }) => metadata.command_id === commandId)) throw refuse('duplicate_transaction');
    return { kind: 'attributed', transferId: known.transfer_id };
  }

  /** The named transfer, where it lies in the queue for the payment's address: the chain is not asked. */
  private async recorded(named: Named, txHash: string) {
    const { mode, merchantId, network, state, logIndex, context } = named;
    const { token_id, address } = state.quote;
    if (logIndex === null) return null;
    const key: TransferKey = { network, txHash, ordinal: logIndex };
    const transfer = await this.transferOf(named, key);
    const { state: recorded, history } = transfer;
    if (recorded.status !== 'unmatched' || recorded.seen.to !== address || recorded.seen.token_id !== token_id)
      return null;
    if (isToItself(recorded.seen)) throw transferToItself(TOKENS[token_id].asset, address);
    const wallMs = paidAtMs(history, this.parts.watched(mode, network));
    if (wallMs === null) return null;
    return { key, transfer, paidAt: await this.parts.clock.merchantTimeAt(mode, merchantId, wallMs, context) };
  }

  /** The stream of the transfer: it is read once where the transfer is the named one of the queue. */
  private async transferOf({ mode, queued }: Named, key: TransferKey): Promise<LoadedTransfer> {
    const stream = transferStreamId(key);
    if (queued && transferStreamId(queued.key) === stream) return queued.transfer;
    return this.parts.writes.load(transfers, mode, stream);
  }

  /** A naming for which the budget has no room now is filed, and looked at later. */
  private async lookedUp(named: Named, reference: NamedReference): Promise<AttributionOutcome> {
    const { mode, id, merchantId, network } = named;
    const { txHash } = reference;
    const look = await this.parts.lookUps.look({ mode, network, txHash, merchantId });
    if (look.kind === 'found') {
      // The chain takes its time to answer, as a turn does.
      return this.found({ ...named, context: await this.parts.clock.renewed(named.context) }, reference, look);
    }
    if (look.kind === 'unknown') await this.refuseOtherNetwork(named, txHash);
    const filed = await this.filing.file(named, reference, 'file');
    if (look.kind !== 'too_large' || filed.naming.status !== 'pending') return filed;
    return this.filing.append(named, reference, { type: 'refer', paymentIntent: id, reason: 'transaction_too_large' });
  }

  /** Hashes of two networks look the same; a hash that is found on another network of ours gets that answer. */
  private async refuseOtherNetwork({ mode, merchantId, network: expected }: Named, txHash: string): Promise<void> {
    const family = familyOf(expected);
    if (family === 'tron') return;
    for (const network of networksOf(family).filter(each => each !== expected)) {
      const { kind } = await this.parts.lookUps.look({ mode, network, txHash, merchantId });
      if (kind !== 'found' && kind !== 'too_large') continue;
      const [found, asked] = [NETWORKS[network].name, NETWORKS[expected].name];
      throw invalidTxHash(`This transaction is on ${found}; the payment is to be made on ${asked}.`);
    }
  }

  private async found(
    named: Named,
    reference: NamedReference,
    { receipt, block }: LookedUp & { readonly kind: 'found' },
  ): Promise<AttributionOutcome> {
    const { mode, merchantId, network, state, logIndex, context } = named;
    const { token_id, address } = state.quote;
    const token = TOKENS[token_id];
    const transfer = namedTransfer(receipt, { mode, token, address }, logIndex);
    const key: TransferKey = { network, txHash: reference.txHash, ordinal: transfer.ordinal };
    const paidAtMs = paidNowMs(this.parts.watched(mode, network), block, this.parts.clock.now());
    const paidAt = await this.parts.clock.merchantTimeAt(mode, merchantId, paidAtMs, context);
    const sighting = { mode, token, transfer, block, paidAtMs, isNamed: true, clock: context };
    return this.attribute(named, reference, { key, paidAt }, null, () => this.parts.matching.observe(sighting));
  }

  private async attribute(
    named: Named,
    reference: NamedReference,
    { key, paidAt }: { readonly key: TransferKey; readonly paidAt: number },
    payment: LoadedPayment | null,
    observe: () => Promise<LoadedTransfer | null>,
  ): Promise<AttributionOutcome> {
    const { id, state } = named;
    // Where a block that is not read yet may have paid the payment in time, the transfer waits for its watcher.
    const transfer = isAfterQuote(state, paidAt) ? null : await observe();
    if (transfer === null) return this.filing.file(named, reference, 'file');
    const attributed = await this.attributed(named, key, transfer, payment);
    if (attributed?.kind === 'attributed') return { kind: 'attributed', transferId: transferId(key) };
    const filed = await this.filing.file(named, reference, 'file');
    if (attributed === null || attributed.kind === 'waiting') return filed;
    const { reason } = attributed;
    const keep = { type: 'keep', paymentIntent: id, transferId: transferId(key), reason } as const;
    return filed.naming.status === 'pending' ? this.filing.append(named, reference, keep) : filed;
  }

  /** Null while a part that the answer needs is away, or behind: the group `matching` attributes the filed naming. */
  private async attributed(
    { id, merchantId, side, context }: Named,
    key: TransferKey,
    transfer: LoadedTransfer,
    payment: LoadedPayment | null,
  ): Promise<Attribution | null> {
    // A transfer that was recorded for a payment was also credited, and so both streams have moved on.
    const known = transfer.state.status === 'unmatched' ? { transfer, ...(payment && { payment }) } : undefined;
    try {
      return await this.parts.attribution.attribute({ id, merchantId }, key, side, context, known);
    } catch (error) {
      if (outageOf(error) !== 'provider') throw error;
      return null;
    }
  }
}

/** The transfer's own time is judged later: a transfer after the window is refused whenever somebody names it. */
function refuseOutlived({ state, side, context }: Named): void {
  if (state.status !== 'expired') return;
  const { quote_expires_at: quoteEnd, reserved_until: windowEnd } = state.quote;
  const untilMs = side === 'merchant' ? parseIsoTime(quoteEnd) + NAMED_FOR_MS : parseIsoTime(windowEnd);
  if (context.now <= untilMs) return;
  throw refuse('reservation_not_found', { message: 'The time in which a transfer may be named for it is over.' });
}

@CommandHandler(AttributeTransaction)
export class AttributeTransactionHandler implements ICommandHandler<AttributeTransaction> {
  constructor(private readonly naming: NamingIntake) {}

  execute({ paymentIntent, named, side, context }: AttributeTransaction): Promise<AttributionOutcome> {
    return this.naming.name(paymentIntent, named, side, context);
  }
}
