import { unmatchedTransfersProjection } from '../../../projections/unmatched-transfers/unmatched-transfers.projection';
import { systemContext, type CommandContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import { fold } from '../../kernel/decider';
import { refuse } from '../../kernel/errors';
import { parseStreamName, type Mode, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { GroupMessage } from '../../kernel/ports/event-store';
import type { ReadModels } from '../../kernel/ports/read-models';
import { TOKENS, type NetworkId } from '../../kernel/tokens';
import type { WritePath } from '../../kernel/write-path';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type {
  PaymentFailed,
  SettledTransferLost,
  TransferDropped,
} from '../../modules/payment-intents/payment-intent.events';
import {
  isWaiting,
  transactionClaims,
  type TransactionClaim,
  type TransactionClaimCommand,
} from '../../modules/transfers/transaction-claim.decider';
import type { ClaimSide } from '../../modules/transfers/transaction-claim.events';
import { transferId, transferKeyOf, transfers, transferStreamId } from '../../modules/transfers/transfer.decider';
import { isFitting } from '../../modules/transfers/named-transfer';
import type { TransferKey, TransferSeen } from '../../modules/transfers/transfer.events';
import { isClaimsOwn, type NamedPayment, type TransferAttribution } from './attribution';
import type { CandidateSearch } from './candidate-search';
import type { IndexWait } from './index-wait';
import type { TransferClaims } from './transfer-claims';
import { transferOf, type TransferCredit } from './transfer-credit';
import { paidAtMs, strayOf, type WatchedChains } from './transfer-moment';

/** What the group `matching` reads. */
export const MATCHING_CATEGORIES: readonly string[] = ['transfer', 'transaction_claim', 'payment_intent'];

type LosingEvent = TransferDropped | PaymentFailed | SettledTransferLost;

/** Transfers to one address in one transaction; who sends more at once names each by its log_index. */
const TRANSFERS_OF_TRANSACTION = 50;

export type StrayTransfersParts = {
  readonly writes: WritePath;
  readonly readModels: ReadModels;
  readonly credits: TransferCredit;
  readonly claims: TransferClaims;
  readonly attribution: TransferAttribution;
  readonly search: CandidateSearch;
  readonly index: IndexWait;
  readonly watched: WatchedChains;
  readonly clock: MerchantClocks;
  readonly entropy: Entropy;
};

/** Finishes what a crash left between claim and credit, attributes what somebody named before it was there, and says whose the rest may be. */
export class StrayTransfers {
  constructor(private readonly parts: StrayTransfersParts) {}

  /** Safe for any message, in any order and as often as it comes: what is to be done follows from how the streams stand now. */
  async handle({ event }: GroupMessage): Promise<void> {
    const { universe: mode, id } = parseStreamName(event.stream);
    invariant(mode !== 'platform', `${event.stream} is above the modes`);
    switch (event.type) {
      case 'TransferClaimed':
      case 'TransferResolved':
        await this.parts.credits.finish(mode, transferKeyOf(id));
        return this.attributeNamed(mode, transferKeyOf(id));
      case 'TransferUnmatched':
      case 'TransferReopened':
        await this.attributeNamed(mode, transferKeyOf(id));
        return this.rank(mode, transferKeyOf(id));
      case 'TransferReorgedOut':
        return this.lookAgain(mode, transferKeyOf(id));
      case 'TransactionClaimFiled':
        // The transfer may have come before: nothing but its document leads from the claim to it.
        await this.parts.index.reachHead([unmatchedTransfersProjection]);
        return this.attributeTo(mode, id);
      case 'TransferDropped':
      case 'PaymentFailed':
      case 'SettledTransferLost':
        return this.letGo(mode, id, event as RecordedEvent<LosingEvent>);
      default:
        return;
    }
  }

  /** Off its payment, it may stand on the chain as another one: whoever ended the claim may have died before matching it anew. */
  private async lookAgain(mode: Mode, key: TransferKey): Promise<void> {
    const { state } = await this.parts.writes.load(transfers, mode, transferStreamId(key));
    if (state.status === 'reorged_out' && !(await this.parts.claims.observe(mode, key)))
      throw refuse('provider_unavailable', { message: 'What the transfer may pay is not settled yet.' });
  }

  /** Whoever dropped the transfer from the payment may have died before ending the claim. */
  private async letGo(
    mode: Mode,
    paymentIntent: string,
    { data, revision }: RecordedEvent<LosingEvent>,
  ): Promise<void> {
    const { history } = await this.parts.writes.load(paymentIntents, mode, paymentIntent);
    const before = fold(paymentIntents, history.slice(0, revision));
    const dropped = transferOf(before, data.transfer_id);
    if (dropped === null || before.status === 'none' || before.quote === null) return;
    const merchantId = history[0]?.metadata.merchant_id ?? null;
    const holder = { mode, network: before.quote.network_id, id: paymentIntent, merchantId };
    await this.parts.claims.letGo(holder, dropped, 'reason' in data ? data.reason : 'reorged_out');
  }

  /** A claim that was filed as the transfer was there already: between the look at the chain and the filing. */
  private async attributeTo(mode: Mode, claimsId: string): Promise<void> {
    const [network, txHash] = claimsId.split(':') as [NetworkId, string];
    const equals = { mode, network_id: network, tx_hash: txHash };
    const query = { index: 'by_transaction', equals, limit: TRANSFERS_OF_TRANSACTION };
    for (const { body } of await this.parts.readModels.list(unmatchedTransfersProjection, query)) {
      await this.attributeNamed(mode, { network, txHash, ordinal: body.ordinal });
    }
  }

  /** Gives the transfer to the first of those who named its transaction and still wait for it. */
  private async attributeNamed(mode: Mode, key: TransferKey): Promise<void> {
    const claimsId = `${key.network}:${key.txHash}`;
    const { state } = await this.parts.writes.load(transactionClaims, mode, claimsId);
    for (const claim of Object.values(state.claims)) await this.attributeClaim(mode, key, claimsId, claim);
  }

  private async attributeClaim(mode: Mode, key: TransferKey, claimsId: string, claim: TransactionClaim): Promise<void> {
    const { paymentIntent, side } = claim;
    const { state, history } = await this.parts.writes.load(paymentIntents, mode, paymentIntent);
    const merchantId = history[0]?.metadata.merchant_id ?? null;
    if (state.status === 'none' || state.quote === null || merchantId === null) return;
    const context = await this.context(mode, merchantId);
    if (!isWaiting(claim, context.now)) return;
    const { address, token_id } = state.quote;
    const { state: transfer } = await this.parts.writes.load(transfers, mode, transferStreamId(key));
    // One that a reorganisation took is seen again where it comes to rest.
    if (transfer.status === 'none' || transfer.status === 'reorged_out') return;
    if (transfer.seen.to !== address || transfer.seen.token_id !== token_id) return;
    if (claim.logIndex !== null && claim.logIndex !== key.ordinal) return;
    const isAmbiguous = claim.logIndex === null && (await this.hasSiblings(mode, key, transfer.seen));
    // It has it already, from before a death or by its amount: what it takes now is not asked.
    const isOwn = transfer.claim === paymentIntent && state.ledger.transfers[transferId(key)] !== undefined;
    const outcome: TransactionClaimCommand = isAmbiguous
      ? { type: 'refuse', paymentIntent, refusal: 'invalid_log_index' }
      : isOwn
        ? { type: 'attribute', paymentIntent, transferId: transferId(key) }
        : await this.outcomeOf({ id: paymentIntent, merchantId }, key, side, context);
    await this.parts.writes.execute(transactionClaims, claimsId, outcome, await this.context(mode, merchantId));
  }

  /** What is to be recorded of the claim. */
  private async outcomeOf(
    payment: NamedPayment,
    key: TransferKey,
    side: ClaimSide,
    context: CommandContext,
  ): Promise<TransactionClaimCommand> {
    const claim = { paymentIntent: payment.id, transferId: transferId(key) };
    try {
      const outcome = await this.parts.attribution.attribute(payment, key, side, context);
      if (outcome.kind === 'attributed') return { type: 'attribute', ...claim };
      return { type: 'keep', ...claim, reason: outcome.reason };
    } catch (error) {
      if (!isClaimsOwn(error)) throw error;
      return { type: 'refuse', paymentIntent: payment.id, refusal: error.code };
    }
  }

  /**
   * Other transfers of the transaction to the same address: which one is meant, nobody has said. The chain is asked, since the watcher may have
   * recorded some of them only. What the chain does not show now is seen again where it comes to rest.
   */
  private async hasSiblings(mode: Mode, key: TransferKey, { to, token_id }: TransferSeen['data']): Promise<boolean> {
    const receipt = await this.parts.watched(mode, key.network)?.chain.receipt(key.txHash);
    const others = receipt?.transfers.filter(({ ordinal }) => ordinal !== key.ordinal) ?? [];
    return others.some(each => isFitting(each, { mode, token: TOKENS[token_id], address: to }));
  }

  /** Whoever it makes up an amount with has it among the reasons for a candidate too. */
  private async rank(mode: Mode, key: TransferKey): Promise<void> {
    const completing = await this.rankOne(mode, key);
    for (const sibling of completing) await this.rankOne(mode, sibling);
  }

  private async rankOne(mode: Mode, key: TransferKey): Promise<readonly TransferKey[]> {
    const { writes, search, watched } = this.parts;
    const streamId = transferStreamId(key);
    const { state, history } = await writes.load(transfers, mode, streamId);
    const atMs = paidAtMs(history, watched(mode, key.network)?.sandbox ?? false);
    if (state.status !== 'unmatched' || atMs === null) return [];
    const stray = strayOf(key, state.seen, atMs);
    const place = { mode, token: TOKENS[state.seen.token_id], address: state.seen.to };
    const last = history.findLast(({ type }) => type === 'TransferUnmatched');
    const named = last?.type === 'TransferUnmatched' ? last.data.candidate : null;
    const candidates = await search.rank(place, stray, named);
    await writes.execute(transfers, streamId, { type: 'rank_candidates', candidates }, await this.context(mode, null));
    return search.completing(place, stray);
  }

  private async context(mode: Mode, merchantId: string | null): Promise<CommandContext> {
    const now = await this.parts.clock.merchantNow(mode, merchantId);
    return systemContext(this.parts.entropy, { actor: 'matcher', mode, merchantId, now });
  }
}
