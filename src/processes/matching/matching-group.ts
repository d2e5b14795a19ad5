import type { Clock } from '../../kernel/clock';
import { fold } from '../../kernel/decider';
import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import type { Mode } from '../../vocabulary/modes';
import { invariant } from '../../kernel/invariant';
import { outageOf } from '../../kernel/outage';
import type { GroupMessage } from '../../kernel/ports/event-store';
import type { Occasion, SystemCommands } from '../../kernel/system-commands';
import { TOKENS } from '../../vocabulary/tokens';
import type { Loaded } from '../../kernel/loaded';
import { TurnsByKey } from '../../kernel/turns-by-key';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type {
  PaymentFailed,
  SettledTransferLost,
  TransferDropped,
} from '../../modules/payment-intents/payment-intent.events';
import { transferId, transferKeyOf, transfers, transferStreamId } from '../../modules/transfers/transfer.decider';
import { isSameSighting } from '../../modules/transfers/transfer.sightings';
import type { NamedCandidate } from '../../modules/transfers/candidate-ranking';
import type { UnmatchedFacts } from '../../modules/transfers/candidate-evidence';
import type { RankedCandidate, TransferEvent, TransferKey } from '../../modules/transfers/transfer.events';
import { unmatchedTransfersReadModel } from '../../modules/transfers/unmatched-transfers.read-model';
import type { Transfer } from '../../modules/transfers/transfer.state';
import type { CandidateSearch } from './candidate-search';
import type { TransactionNamed } from '../../modules/transfers/naming.events';
import type { NamingAnswers, NamingAnswersParts } from './naming-answers';
import type { IndexWait } from './index-wait';
import type { TransferClaims } from './transfer-claims';
import { RankingBudget } from './ranking-budget';
import type { Place } from './ranking-ground';
import { transferOf, type TransferCredit } from './transfer-credit';
import { paidAtMs, unmatchedOf } from './transfer-moment';

/** The categories that the group `matching` reads. */
export const MATCHING_CATEGORIES: readonly string[] = ['transfer', 'naming', 'payment_intent'];

type LosingEvent = TransferDropped | PaymentFailed | SettledTransferLost;

type MatchingGroupParts = Pick<NamingAnswersParts, 'commands' | 'watched' | 'waiting'> & {
  readonly clock: Clock;
  readonly answers: NamingAnswers;
  readonly credits: TransferCredit;
  readonly claims: TransferClaims;
  readonly search: CandidateSearch;
  readonly index: IndexWait;
};

/** A transfer of the queue, with the facts that its ranking goes by. */
type Found = {
  readonly key: TransferKey;
  readonly place: Place;
  readonly unmatched: UnmatchedFacts;
  readonly named: NamedCandidate | null;
  /** The candidates of its last ranking. */
  readonly candidates: readonly RankedCandidate[];
  readonly loaded: Loaded<Transfer, TransferEvent>;
};

const RANKINGS = 'rankings';

/**
 * Finishes the credits that a crash left undone, and gives named transfers to their payments. Ranks candidates for the
 * other transfers.
 */
export class MatchingGroup {
  private readonly commands: SystemCommands;
  private readonly budget: RankingBudget;
  private readonly rankings = new TurnsByKey();
  /** Networks of modes whose providers are asked at this moment. */
  private readonly asking = new Set<string>();

  constructor(private readonly parts: MatchingGroupParts) {
    this.commands = parts.commands.of('matching');
    this.budget = new RankingBudget(parts.clock);
  }

  /** Safe for any message, in any order and as often as it comes: the streams as they stand now decide what follows. */
  async handle({ event }: GroupMessage): Promise<void> {
    const { universe: mode, id } = parseStreamName(event.stream);
    invariant(mode !== 'platform', `${event.stream} is above the modes`);
    const occasion = { mode, cause: event };
    switch (event.type) {
      case 'TransferSeen':
        return this.endOutlived(occasion, transferKeyOf(id));
      case 'TransferClaimed':
      case 'TransferResolved':
        await this.parts.credits.finish(mode, transferKeyOf(id), { cause: event });
        return this.parts.answers.ofTransfer(occasion, transferKeyOf(id));
      case 'TransferUnmatched':
      case 'TransferReopened':
        await this.parts.answers.ofTransfer(occasion, transferKeyOf(id));
        return this.rank(occasion, transferKeyOf(id));
      case 'TransferReorgedOut':
        return this.lookAgain(occasion, transferKeyOf(id));
      case 'TransactionNamed':
        return this.takeUp(mode, id, event as RecordedEvent<TransactionNamed>);
      case 'TransferDetected':
      case 'QuoteExpired':
      case 'PaymentCanceled':
        return this.parts.answers.ofPayment(occasion, id);
      case 'TransferDropped':
      case 'PaymentFailed':
      case 'SettledTransferLost':
        return this.letGo(mode, id, event as RecordedEvent<LosingEvent>);
      default:
        return;
    }
  }

  /** The naming may have been filed without a look at the chain. */
  private async takeUp(mode: Mode, namingsId: string, event: RecordedEvent<TransactionNamed>): Promise<void> {
    const { payment_intent: paymentIntent } = event.data;
    const { merchant_id: merchantId } = event.metadata;
    // The transfer may have come before: only its document leads from the claim to it.
    await this.parts.index.reachHead([unmatchedTransfersReadModel]);
    await this.parts.answers.ofTransaction({ mode, cause: event }, namingsId, paymentIntent);
    if (merchantId !== null) this.parts.waiting.put({ mode, merchantId, namingsId, paymentIntent });
  }

  /**
   * A transfer that left its payment may stand on the chain with other facts. The process that ended the claim may have
   * died before matching it anew. Messages of other networks do not wait for a network's providers, so one message at a
   * time asks them. ReturnedTransfers comes back to every transfer that finds no place here.
   */
  private async lookAgain(occasion: Occasion, key: TransferKey): Promise<void> {
    const { mode } = occasion;
    const { claims } = this.parts;
    const place = `${mode}:${key.network}`;
    if (this.asking.has(place)) return;
    this.asking.add(place);
    try {
      const { state } = await this.commands.read(transfers, mode, transferStreamId(key));
      if (state.status === 'reorged_out') await claims.observe(occasion, key);
    } catch (error) {
      if (outageOf(error) !== 'provider') throw error;
    } finally {
      this.asking.delete(place);
    }
  }

  /**
   * A claim stands for other facts than those seen last. Where its payment never had the transfer, the payment drops
   * nothing, and no later event would end the claim.
   */
  private async endOutlived({ mode, cause }: Occasion, key: TransferKey): Promise<void> {
    const { state } = await this.commands.read(transfers, mode, transferStreamId(key));
    if (state.status !== 'seen' || state.claim === null) return;
    const { network, txHash: tx_hash, ordinal } = key;
    const place = { transfer_id: transferId(key), tx_hash, ordinal, block_hash: state.seen.block_hash };
    await this.parts.claims.release({ mode, network, id: state.claim }, place, 'reorged_out', cause);
  }

  /** The process that dropped the transfer from the payment may have died before ending the claim. */
  private async letGo(mode: Mode, paymentIntent: string, event: RecordedEvent<LosingEvent>): Promise<void> {
    const { data, revision } = event;
    const { history } = await this.commands.read(paymentIntents, mode, paymentIntent);
    const before = fold(paymentIntents, history.slice(0, revision));
    const dropped = transferOf(before, data.transfer_id);
    if (dropped === null || before.status === 'none' || before.quote === null) return;
    const holder = { mode, network: before.quote.network_id, id: paymentIntent };
    // The transfer's own event brings the look at its place.
    await this.parts.claims.release(holder, dropped, 'reason' in data ? data.reason : 'reorged_out', event);
  }

  /**
   * Strangers can send any number of unmatched transfers: beyond a budget they are ranked by one look for all. Thorough
   * rankings come one after the other. Another transfer that makes up an amount with this one has it among its reasons
   * too.
   */
  private async rank({ mode, cause }: Occasion, key: TransferKey): Promise<void> {
    const found = await this.find(mode, key);
    if (found === null) return;
    const { search } = this.parts;
    if (!this.budget.take(found.place))
      return this.note(found, await search.rankInCrowd(found.place, found.unmatched, found.named), cause);
    await this.rankings.run(RANKINGS, async () => {
      await this.note(found, await search.rank(found.place, found.unmatched, found.named), cause);
      for (const sibling of await search.completing(found.place, found.unmatched)) {
        const other = await this.find(mode, sibling);
        if (other === null || !this.budget.take(other.place)) continue;
        await this.note(other, await search.rank(other.place, other.unmatched, other.named), cause);
      }
    });
  }

  /** Null for a transfer that waits for no decision. */
  private async find(mode: Mode, key: TransferKey): Promise<Found | null> {
    const loaded = await this.commands.read(transfers, mode, transferStreamId(key));
    const { state, history } = loaded;
    const atMs = paidAtMs(history, this.parts.watched(mode, key.network));
    if (state.status !== 'unmatched' || atMs === null) return null;
    const place = { mode, token: TOKENS[state.seen.token_id], address: state.seen.to };
    return {
      key,
      place,
      unmatched: unmatchedOf(key, state.seen, atMs),
      named: namedIn(history),
      candidates: state.candidates,
      loaded,
    };
  }

  /** Records nothing where the transfer was seen otherwise since: its own event has it ranked anew. */
  private async note(found: Found, candidates: readonly RankedCandidate[], cause: RecordedEvent | null): Promise<void> {
    const { key, place, loaded } = found;
    if (found.candidates.length === 0 && candidates.length === 0) return;
    const command = { type: 'rank_candidates', candidates } as const;
    await this.commands.execute(
      transfers,
      transferStreamId(key),
      ({ state }) => (isSeenAlike(state, loaded.state) ? { command, actor: 'matcher' } : null),
      { mode: place.mode, cause, known: loaded },
    );
  }
}

function isSeenAlike(one: Transfer, other: Transfer): boolean {
  return one.status !== 'none' && other.status !== 'none' && isSameSighting(one.seen, other.seen);
}

/** The payment that the queue's newest entry names. */
function namedIn(history: readonly RecordedEvent<TransferEvent>[]): NamedCandidate | null {
  const last = history.findLast(({ type }) => type === 'TransferUnmatched');
  if (last?.type !== 'TransferUnmatched' || last.data.candidate === null) return null;
  return { paymentIntent: last.data.candidate, reason: last.data.reason };
}
