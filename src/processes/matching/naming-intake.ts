import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DAY_MS, parseIsoTime } from '../../kernel/clock';
import { withCommand, withoutClock, type MerchantContext } from '../../kernel/command-context';
import type { RecordedEvent } from '../../kernel/event';
import { refuse } from '../../vocabulary/errors';
import { outageOf } from '../../kernel/outage';
import type { Mode } from '../../vocabulary/modes';
import type { Loaded } from '../../kernel/loaded';
import { invariant } from '../../kernel/invariant';
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
  type FiledNaming,
  type NamedTransaction,
} from '../../modules/transfers/commands/attribute-transaction.command';
import { isToItself, namedTransfer, transferToItself } from '../../modules/transfers/named-transfer';
import type { NamingEvent, NamingSide } from '../../modules/transfers/naming.events';
import { isFiling, namingIdOf, namings, namingsIdOf, type NamingCommand } from '../../modules/transfers/naming.decider';
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

type Named = Omit<NamedTransaction, 'text'> & {
  readonly mode: Mode;
  readonly id: string;
  readonly merchantId: string;
  readonly state: QuotedPaymentIntent;
  readonly side: NamingSide;
  readonly context: MerchantContext;
};

type LoadedPayment = Loaded<PaymentIntent, PaymentIntentEvent>;

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
  constructor(private readonly parts: NamingIntakeParts) {}

  /**
   * Throws Refusal invalid_tx_hash or invalid_log_index where no such transfer can be meant. Throws Refusal
   * unmatched_transfer_not_found where it has left the queue. Throws Refusal duplicate_transaction where the payment
   * has the transfer, and attribution_already_exists where another payment has it. Throws Refusal reservation_not_found
   * where the payment expired too long ago, or the transfer is older than the quote. Also throws the refusals of the
   * payment's state, and at checkout those of `CheckoutNamings`.
   */
  async name(
    paymentIntent: string,
    { text, ...transfer }: NamedTransaction,
    side: NamingSide,
    context: MerchantContext,
  ): Promise<AttributionOutcome> {
    const { loaded, ...payment } = await this.payment(paymentIntent, context);
    const named: Named = { ...payment, ...transfer, side, context };
    const reference = transactionReference(payment.state.quote.network_id, text);
    const own = await this.ownWork(named, reference);
    if (own) return own;
    const refusal = claimRefusal(payment.state);
    if (refusal !== null) throw refuse(refusal);
    refuseOutlived(named);
    if (side === 'merchant') return this.judge(named, reference, loaded);
    const namingsId = namingsIdOf(payment.state.quote.network_id, reference, named.logIndex);
    // A turn waits for those before it, and so for their chains: payment and clock may have moved on meanwhile.
    const judge = () => this.judge({ ...named, context: withoutClock(context) }, reference, null);
    return this.parts.checkoutNamings.inTurn(payment.mode, payment.id, namingsId, judge);
  }

  private async judge(named: Named, reference: TransactionReference, payment: LoadedPayment | null) {
    if (reference.kind === 'exchange_transfer') return this.file(named, reference, 'file_exchange_transfer');
    const recorded = await this.recorded(named, reference.txHash);
    if (!recorded) return this.lookedUp(named, reference);
    const { transfer, ...moment } = recorded;
    return this.attribute(named, reference, moment, payment, () => Promise.resolve(transfer));
  }

  private async payment(id: string, { universe: mode, merchantId }: MerchantContext) {
    const loaded = await this.parts.writes.load(paymentIntents, mode, id);
    const { state, history } = loaded;
    if (state.status === 'none' || history[0]?.metadata.merchant_id !== merchantId) throw refuse('payment_not_found');
    if (state.quote === null) throw refuse(state.status === 'canceled' ? 'payment_canceled' : 'payment_not_quoted');
    return { mode, id, merchantId, state, loaded };
  }

  /**
   * Answers the outcome of an earlier try of this very command. Throws Refusal duplicate_transaction where somebody
   * else named the transaction.
   */
  private async ownWork(
    { mode, state, logIndex, context }: Named,
    reference: TransactionReference,
  ): Promise<AttributionOutcome | null> {
    if (reference.kind !== 'transaction') return null;
    const known = Object.values(state.ledger.transfers).find(({ tx_hash, ordinal }) => {
      return tx_hash === reference.txHash && (logIndex === null || ordinal === logIndex);
    });
    if (!known || isInferredYet(state, known.transfer_id)) return null;
    const key = { network: state.quote.network_id, txHash: known.tx_hash, ordinal: known.ordinal };
    const { history } = await this.parts.writes.load(transfers, mode, transferStreamId(key));
    const { commandId } = withCommand(context, 'claim');
    if (!history.some(({ metadata }) => metadata.command_id === commandId)) throw refuse('duplicate_transaction');
    return { kind: 'attributed', transferId: known.transfer_id };
  }

  /** The named transfer, where it lies in the queue for the payment's address: the chain is not asked. */
  private async recorded({ mode, merchantId, state, logIndex, isQueued, context }: Named, txHash: string) {
    const { network_id: network, token_id, address } = state.quote;
    if (logIndex === null) return null;
    const key: TransferKey = { network, txHash, ordinal: logIndex };
    const transfer = await this.parts.writes.load(transfers, mode, transferStreamId(key));
    const { state: recorded, history } = transfer;
    if (isQueued && recorded.status !== 'none' && !awaitsDecision(recorded))
      throw refuse('unmatched_transfer_not_found');
    if (recorded.status !== 'unmatched' || recorded.seen.to !== address || recorded.seen.token_id !== token_id)
      return null;
    if (isToItself(recorded.seen)) throw transferToItself(TOKENS[token_id].asset, address);
    const wallMs = paidAtMs(history, this.parts.watched(mode, network));
    if (wallMs === null) return null;
    return { key, transfer, paidAt: await this.parts.clock.merchantTimeAt(mode, merchantId, wallMs, context) };
  }

  /** A naming for which the budget has no room now is filed, and looked at later. */
  private async lookedUp(named: Named, reference: NamedReference): Promise<AttributionOutcome> {
    const { mode, id, merchantId, state } = named;
    const { network_id: network } = state.quote;
    const { txHash } = reference;
    const look = await this.parts.lookUps.look({ mode, network, txHash, merchantId });
    // The chain takes its time to answer, as a turn does.
    const later = { ...named, context: withoutClock(named.context) };
    if (look.kind === 'found') return this.found(later, reference, look);
    if (look.kind === 'unknown') await this.refuseOtherNetwork(named, txHash);
    const filed = await this.file(named, reference, 'file');
    if (look.kind !== 'too_large' || filed.naming.status !== 'pending') return filed;
    return this.append(named, reference, { type: 'refer', paymentIntent: id, reason: 'transaction_too_large' });
  }

  /** Hashes of two networks look the same; a hash that is found on another network of ours gets that answer. */
  private async refuseOtherNetwork({ mode, merchantId, state }: Named, txHash: string): Promise<void> {
    const { network_id: expected } = state.quote;
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
    const { mode, merchantId, state, logIndex, context } = named;
    const { network_id: network, token_id, address } = state.quote;
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
    observe: () => Promise<Loaded<Transfer, TransferEvent> | null>,
  ): Promise<AttributionOutcome> {
    const { id, state } = named;
    // Where a block that is not read yet may have paid the payment in time, the transfer waits for its watcher.
    const transfer = isAfterQuote(state, paidAt) ? null : await observe();
    if (transfer === null) return this.file(named, reference, 'file');
    const attributed = await this.attributed(named, key, transfer, payment);
    if (attributed?.kind === 'attributed') return { kind: 'attributed', transferId: transferId(key) };
    const filed = await this.file(named, reference, 'file');
    if (attributed === null || attributed.kind === 'waiting') return filed;
    const keep = { type: 'keep', paymentIntent: id, transferId: transferId(key), reason: attributed.reason } as const;
    return filed.naming.status === 'pending' ? this.append(named, reference, keep) : filed;
  }

  /** Null while a part that the answer needs is away, or behind: the group `matching` attributes the filed naming. */
  private async attributed(
    { id, merchantId, side, context }: Named,
    key: TransferKey,
    transfer: Loaded<Transfer, TransferEvent>,
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

  private file(
    named: Named,
    reference: TransactionReference,
    type: 'file' | 'file_exchange_transfer',
  ): Promise<FiledNaming> {
    const { id: paymentIntent, merchantId, side, logIndex } = named;
    return this.execute(named, reference, type, history => {
      const own = history.filter(event => isFiling(event) && event.metadata.merchant_id === merchantId);
      const filing = { paymentIntent, side, merchantsFilings: own.length };
      return type === 'file' ? { type, ...filing, logIndex } : { type, ...filing };
    });
  }

  private append(named: Named, reference: TransactionReference, command: NamingCommand): Promise<FiledNaming> {
    return this.execute(named, reference, command.type, () => command);
  }

  private async execute(
    { id, state, logIndex, context }: Named,
    reference: TransactionReference,
    type: NamingCommand['type'],
    commandOn: (history: readonly RecordedEvent<NamingEvent>[]) => NamingCommand,
  ): Promise<FiledNaming> {
    const namingsId = namingsIdOf(state.quote.network_id, reference, logIndex);
    const own = withCommand(context, type);
    const executed = await this.parts.writes.executePlan(
      namings,
      namingsId,
      ({ history }) => ({ command: commandOn(history), context: own }),
      own,
    );
    const naming = executed.state.namings[id];
    const filed = executed.history.findLast(event => event.data.payment_intent === id && isFiling(event));
    invariant(naming && filed, `${namingsId} has no naming of ${id}`);
    return {
      kind: 'filed',
      namingId: namingIdOf(namingsId, id),
      referenceKind: reference.kind,
      reference: reference.kind === 'transaction' ? reference.txHash : reference.id,
      naming,
      filedAt: filed.metadata.occurred_at,
    };
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
