import { composeMatching } from '../../../src/composition/matching';
import type { WatchedNetwork } from '../../../src/composition/ports';
import type { MerchantContext, PlatformContext } from '../../../src/kernel/command-context';
import type { Mode } from '../../../src/vocabulary/modes';
import { START_OF_LOG, type GroupMessage } from '../../../src/kernel/ports/event-store';
import type { IndexProgress } from '../../../src/kernel/ports/index-progress';
import { TOKENS } from '../../../src/vocabulary/tokens';
import type { UnmatchedTransferDocument } from '../../../src/modules/transfers/unmatched-transfers.read-model';
import type { DecisionRates } from '../../../src/processes/matching/decision-looks';
import { NamingLooks } from '../../../src/processes/matching/naming-looks';
import type { LookUpRates } from '../../../src/processes/matching/look-up-budget';
import type { QueueDecisions } from '../../../src/processes/matching/queue-decisions';
import { ReturnedTransfers } from '../../../src/processes/matching/returned-transfers';
import { MATCHING_CATEGORIES, type MatchingGroup } from '../../../src/processes/matching/matching-group';
import type { TransactionLookUps } from '../../../src/processes/matching/transaction-look-ups';
import type { NamingIntake } from '../../../src/processes/matching/naming-intake';
import { UnmatchedFollower } from '../../../src/processes/matching/unmatched-follower';
import { unmatchedTransfersProjection } from '../../../projections/unmatched-transfers.projection';
import type { Document } from '../../../src/kernel/ports/documents';
import { watchPolicy } from '../../../src/vocabulary/watch-policy';
import type { NamingSide } from '../../../src/modules/transfers/naming.events';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { evidenceInWords } from '../../../src/modules/transfers/api/evidence-words';
import { transferId, transfers, transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import type { TransferKey } from '../../../src/modules/transfers/transfer.events';
import type { NetworkWatcher } from '../../../src/watchers/network-watcher';
import { INSTANCE, PaymentFixture, type FixtureOptions } from '../../support/payment-fixture';
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

export function keyOf(number: number): TransferKey {
  return { network: 'base', txHash: hash(number), ordinal: 0 };
}

/** The payments of one merchant on a scripted chain, with every step of a transfer which meets none of them. */
export class MatchingFixture {
  readonly payments: PaymentFixture;
  readonly naming: NamingIntake;
  readonly decisions: QueueDecisions;
  readonly follower: UnmatchedFollower;
  readonly returned: ReturnedTransfers;
  readonly lookUps: TransactionLookUps;
  readonly looks: NamingLooks;
  /** The other network of the same deployment. */
  readonly bnb: ScriptedChain;
  watcher: NetworkWatcher | null = null;
  private readonly group: MatchingGroup;
  private handled = START_OF_LOG;

  /** `rates`: the looks at the chain that the budget allows; without a bound by default. */
  constructor(options: MatchingOptions = {}) {
    this.payments = new PaymentFixture(options);
    const { writes, commands, readModels, documents, clock, log } = this.payments;
    const chain = options.chain ?? this.payments.chain;
    this.bnb = new ScriptedChain(clock.now());
    const { mode } = this.payments;
    const policy = watchPolicy(mode, false);
    const watched: readonly WatchedNetwork[] = [
      { mode, network: 'base', chain, instance: INSTANCE, policy },
      { mode, network: 'bnb', chain: this.bnb, instance: INSTANCE, policy },
    ];
    const progress: IndexProgress = {
      head: () => this.payments.progress.head(),
      holds: (...asked) => this.payments.progress.holds(...asked),
    };
    const rates = { lookUps: options.rates ?? PLENTY, decisions: options.decisionRates ?? MANY_DECISIONS };
    const means = { writes, commands, readModels, documents, progress, infersCredits: true, rates, clock, log };
    const matching = composeMatching(means, watched, {
      isGaplessBelow: async (...asked) => (await this.payments.frontiers()).isGaplessBelow(...asked),
      headOf: async (...asked) => (await this.payments.frontiers()).headOf(...asked),
    });
    ({ naming: this.naming, decisions: this.decisions, lookUps: this.lookUps, group: this.group } = matching);
    // The parts of the network `base` come first.
    this.follower = theFirst(UnmatchedFollower, matching.followers);
    this.returned = theFirst(ReturnedTransfers, matching.followers);
    this.looks = theFirst(NamingLooks, matching.followers);
  }

  async start(): Promise<this> {
    this.payments.mineEmpty(20);
    this.watcher = await this.payments.watcher();
    await this.watcher.tick();
    return this;
  }

  /** Mines the transfer, and lets the watcher see it and the group handle its events. */
  async pay(number: number, valueBaseUnits: bigint, from?: string): Promise<string> {
    const { payments } = this;
    payments.chain.mine(payments.transfer(hash(number), valueBaseUnits, from));
    payments.clock.timeMs += 1_000;
    await this.settle();
    return transferId(keyOf(number));
  }

  async settle(): Promise<void> {
    await this.watcher?.tick();
    await this.handleAll();
  }

  async confirm(): Promise<void> {
    this.payments.mineEmpty(DEPTH + 1);
    await this.settle();
  }

  /** The group `matching` handles every event since the last call. */
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

  /** The group `matching` handles one message. */
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

  /** The reason why the likeliest candidate of a transfer is one, in words. */
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

function theFirst<Part extends object>(kind: abstract new (...parts: never[]) => Part, parts: readonly object[]): Part {
  const found = parts.find(part => part instanceof kind);
  if (!found) throw new Error(`there is no ${kind.name}`);
  return found as Part;
}
