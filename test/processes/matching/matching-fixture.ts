import type { MerchantContext, PlatformContext } from '../../../src/kernel/command-context';
import type { Mode } from '../../../src/kernel/event';
import { START_OF_LOG, type GroupMessage } from '../../../src/kernel/ports/event-store';
import type { IndexProgress } from '../../../src/kernel/ports/index-progress';
import { TOKENS } from '../../../src/kernel/tokens';
import type { UnmatchedTransferDocument } from '../../../src/modules/transfers/unmatched-transfers.read-model';
import { TransferAttribution, type GaplessBelow } from '../../../src/processes/matching/attribution';
import { CandidateSearch } from '../../../src/processes/matching/candidate-search';
import { DecisionLooks, type DecisionRates } from '../../../src/processes/matching/decision-looks';
import { IndexWait } from '../../../src/processes/matching/index-wait';
import { NamingAnswers } from '../../../src/processes/matching/naming-answers';
import { NamingLooks } from '../../../src/processes/matching/naming-looks';
import type { LookUpRates } from '../../../src/processes/matching/look-up-budget';
import { QueueDecisions } from '../../../src/processes/matching/queue-decisions';
import { ReturnedTransfers } from '../../../src/processes/matching/returned-transfers';
import { MATCHING_CATEGORIES, MatchingGroup } from '../../../src/processes/matching/matching-group';
import { TransactionLookUps } from '../../../src/processes/matching/transaction-look-ups';
import { NamingIntake } from '../../../src/processes/matching/naming-intake';
import { TransferClaims } from '../../../src/processes/matching/transfer-claims';
import { TransferCredit } from '../../../src/processes/matching/transfer-credit';
import { TransferMatching } from '../../../src/processes/matching/transfer-matching';
import type { WatchedChains } from '../../../src/processes/matching/transfer-moment';
import { UnmatchedFollower } from '../../../src/processes/matching/unmatched-follower';
import { WaitingNamings } from '../../../src/processes/matching/waiting-namings';
import { unmatchedTransfersProjection } from '../../../projections/unmatched-transfers.projection';
import type { Document } from '../../../src/kernel/ports/documents';
import type { NamingSide } from '../../../src/modules/transfers/naming.events';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { evidenceInWords } from '../../../src/modules/transfers/api/evidence-words';
import { transferId, transfers, transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import type { NetworkWatcher } from '../../../src/watchers/network-watcher';
import { PaymentFixture, type FixtureOptions } from '../../support/payment-fixture';
import { ScriptedChain } from '../../support/scripted-chain';
import { termsOf } from '../../support/payment-terms';

export const DEPTH = 12;
const ANY_NUMBER = { burst: 1e6, perSecond: 1e6, underWay: 1e6 };
const MANY_DECISIONS: DecisionRates = { asker: ANY_NUMBER, network: ANY_NUMBER };
const PLENTY: LookUpRates = { merchant: ANY_NUMBER, network: ANY_NUMBER, later: ANY_NUMBER };

/** A transaction's hash by a number. */
export function hash(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}

/** A payment's id by a number. */
export function pi(number: number): string {
  return `pi_${String(number).padStart(26, '0')}`;
}

export type MatchingOptions = Partial<FixtureOptions> & {
  readonly rates?: LookUpRates;
  readonly decisionRates?: DecisionRates;
};

/** The payments of one merchant on a scripted chain, with all that becomes of a transfer which fits none. */
export class MatchingFixture {
  readonly payments: PaymentFixture;
  readonly naming: NamingIntake;
  readonly decisions: QueueDecisions;
  readonly decisionLooks: DecisionLooks;
  readonly credits: TransferCredit;
  readonly follower: UnmatchedFollower;
  readonly returned: ReturnedTransfers;
  readonly lookUps: TransactionLookUps;
  readonly looks: NamingLooks;
  /** The other network of the same deployment. */
  readonly bnb: ScriptedChain;
  watcher: NetworkWatcher | null = null;
  private readonly group: MatchingGroup;
  private handled = START_OF_LOG;

  /** `rates`: how many looks at the chain there are; as many as anybody wants unless told. */
  constructor(options: MatchingOptions = {}) {
    this.payments = new PaymentFixture(options);
    const { writes, commands, readModels, clock, log } = this.payments;
    const chain = options.chain ?? this.payments.chain;
    this.bnb = new ScriptedChain(clock.now());
    const watched: WatchedChains = (mode, network) => {
      if (mode !== this.payments.mode || network === 'tron') return null;
      return { chain: network === 'base' ? chain : this.bnb, sandbox: false };
    };
    this.credits = new TransferCredit(commands, clock, log);
    const matching = new TransferMatching(writes, clock, commands, this.credits, log);
    const progress: IndexProgress = {
      head: () => this.payments.progress.head(),
      holds: (...asked) => this.payments.progress.holds(...asked),
    };
    const index = new IndexWait(progress, clock);
    const search = new CandidateSearch(readModels, clock, index);
    const isGaplessBelow: GaplessBelow = async (...asked) => (await this.payments.frontiers()).isGaplessBelow(...asked);
    const attribution = new TransferAttribution(writes, clock, search, this.credits, watched, isGaplessBelow);
    const headOf = async () => {
      const coverage = await (await this.payments.frontiers()).coverageOf(this.payments.mode, 'base');
      return coverage?.head_number ?? null;
    };
    this.lookUps = new TransactionLookUps({ watched, headOf, clock, log, rates: options.rates ?? PLENTY });
    this.naming = new NamingIntake({ writes, matching, attribution, watched, lookUps: this.lookUps, clock });
    this.decisionLooks = new DecisionLooks(watched, clock, options.decisionRates ?? MANY_DECISIONS);
    this.decisions = new QueueDecisions(writes, readModels, clock, this.credits, watched, this.decisionLooks);
    const claims = new TransferClaims({ commands, matching, credits: this.credits, watched });
    const shared = { writes, commands, readModels, claims, clock, watched };
    const looking = { ...shared, lookUps: this.lookUps, waiting: new WaitingNamings() };
    const answers = new NamingAnswers({ ...looking, attribution });
    this.group = new MatchingGroup({ ...looking, answers, credits: this.credits, search, index });
    this.looks = new NamingLooks({ ...looking, matching, answers, log });
    const following = { ...shared, mode: this.payments.mode, network: 'base', chain, progress, log } as const;
    this.follower = new UnmatchedFollower(following);
    this.returned = new ReturnedTransfers(following);
  }

  async start(): Promise<this> {
    this.payments.mineEmpty(20);
    this.watcher = await this.payments.watcher();
    await this.watcher.tick();
    return this;
  }

  /** Mines the transfer, lets the watcher see it and the group handle what came of it. */
  async pay(number: number, valueBaseUnits: bigint, from?: string): Promise<string> {
    const { payments } = this;
    payments.chain.mine(payments.transfer(hash(number), valueBaseUnits, from));
    payments.clock.timeMs += 1_000;
    await this.settle();
    return transferId({ network: 'base', txHash: hash(number), ordinal: 0 });
  }

  async settle(): Promise<void> {
    await this.watcher?.tick();
    await this.handleAll();
  }

  async confirm(): Promise<void> {
    this.payments.mineEmpty(DEPTH + 1);
    await this.settle();
  }

  /** What the group `matching` does with all that was appended since. */
  async handleAll(): Promise<void> {
    for (let isDone = false; !isDone;) {
      const reading = new AbortController();
      const filter = { categories: MATCHING_CATEGORIES };
      isDone = true;
      for await (const batch of this.payments.store.subscribe(filter, this.handled, reading.signal)) {
        for (const event of batch.events) await this.group.handle({ event, retries: 0 });
        isDone = batch.events.length === 0;
        this.handled = batch.position;
        break;
      }
      reading.abort();
    }
  }

  /** What the group `matching` does with one message. */
  handle(message: GroupMessage): Promise<void> {
    return this.group.handle(message);
  }

  /** Hands every message to the group once more. */
  async handleAgain(): Promise<void> {
    this.handled = START_OF_LOG;
    await this.handleAll();
  }

  name(id: string, text: string, side: NamingSide = 'merchant', logIndex: number | null = null, change = {}) {
    const role = side === 'merchant' ? 'merchant' : 'checkout';
    const context: MerchantContext = { ...this.payments.context(), actor: { role, type: 'api_key', id: 'key_1' } };
    return this.naming.name(id, { text, logIndex }, side, { ...context, ...change });
  }

  admin(): PlatformContext<Mode> {
    return { ...this.payments.context(), merchantId: null, actor: { role: 'admin', type: 'admin', id: 'adm_1' } };
  }

  /** An intent without a method. */
  async created(number: number): Promise<void> {
    const { writes } = this.payments;
    await writes.execute(paymentIntents, pi(number), { type: 'create', terms: termsOf() }, this.payments.context());
  }

  async cancel(number: number): Promise<void> {
    const merchant = { role: 'merchant', type: 'api_key', id: 'key_1' } as const;
    const context = { ...this.payments.context(), actor: merchant };
    await this.payments.writes.execute(paymentIntents, pi(number), { type: 'cancel' }, context);
  }

  async row(id: string): Promise<Document<UnmatchedTransferDocument>> {
    const row = await this.payments.readModels.get(unmatchedTransfersProjection, 'test', id);
    if (!row) throw new Error(`${id} has no row`);
    return row;
  }

  /** Why the likeliest candidate of a transfer is one, in words. */
  async reason(id: string): Promise<string> {
    const { candidates, token_id } = (await this.row(id)).body;
    return candidates[0] ? evidenceInWords(TOKENS[token_id], candidates[0].evidence) : 'no candidate';
  }

  async candidates(id: string): Promise<readonly string[]> {
    return (await this.row(id)).body.candidates.map(({ payment_intent }) => payment_intent);
  }

  async transferEvents(number: number, ordinal = 0): Promise<readonly string[]> {
    const key = { network: 'base', txHash: hash(number), ordinal } as const;
    const { history } = await this.payments.writes.load(transfers, 'test', transferStreamId(key));
    return history.map(({ type }) => type);
  }

  async status(number: number): Promise<string> {
    return (await this.payments.payment(pi(number))).status;
  }

  /** A hundredth of a token. */
  get cent(): bigint {
    return 10n ** BigInt(TOKENS['usdc-base'].decimals - 2);
  }
}
