import { composeSweeper } from '../../src/composition/background';
import { composeMatching } from '../../src/composition/matching';
import { composeWatcher } from '../../src/composition/payments';
import type { WatchedNetwork } from '../../src/composition/ports';
import type { LogPosition } from '../../src/kernel/log-position';
import { coverageId, COVERAGE_COLLECTION, type CoverageDocument } from '../../src/watchers/coverage-record';
import { Frontiers } from '../../src/watchers/frontiers';
import { SetAside } from '../../src/watchers/set-aside';
import { watchPolicy, type WatchPolicy } from '../../src/vocabulary/watch-policy';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import type { MerchantContext } from '../../src/kernel/command-context';
import { isoTime } from '../../src/kernel/clock';
import { fold } from '../../src/kernel/decider';
import type { Chain } from '../../src/kernel/ports/chain';
import type { Screening } from '../../src/kernel/ports/screening';
import type { RecordedEvent } from '../../src/kernel/event';
import type { Mode } from '../../src/vocabulary/modes';
import { TOKENS, type Token, type TokenId } from '../../src/vocabulary/tokens';
import type { NetworkId } from '../../src/vocabulary/networks';
import { SystemCommands } from '../../src/kernel/system-commands';
import { WritePath } from '../../src/kernel/write-path';
import { tronTwin } from '../../src/platform/chains/tron/tron-address';
import type { TakenAmountsDocument } from '../../src/modules/amount-slots/taken-amounts.read-model';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import { QUOTE_TTL_MS } from '../../src/modules/payment-intents/quote-times';
import type { MethodTerms } from '../../src/vocabulary/method-terms';
import { AmountReservation } from '../../src/processes/method-selection/amount-reservation';
import { MethodSelection } from '../../src/processes/method-selection/method-selection';
import { SelectionChecks, type PaymentTerms } from '../../src/processes/method-selection/selection-checks';
import type { SetAsideNotice } from '../../src/modules/outbox/mail-kinds';
import { Settlement } from '../../src/processes/settlement';
import type { Sweeper } from '../../src/processes/expiry/sweeper';
import { reconciliationsProjection } from '../../projections/reconciliations.projection';
import { coverageHolesProjection } from '../../projections/coverage-holes.projection';
import { deferredTransfersProjection } from '../../projections/deferred-transfers.projection';
import { namingsProjection } from '../../projections/namings.projection';
import { unmatchedTransfersProjection } from '../../projections/unmatched-transfers.projection';
import { deadlinesProjection } from '../../projections/deadlines.projection';
import { paymentIntentsProjection } from '../../projections/payment-intents.projection';
import { walletsProjection } from '../../projections/wallets.projection';
import { takenAmountsProjection } from '../../projections/taken-amounts.projection';
import { readChanges, writeChanges } from '../../projections/runner/document-changes';
import type { Projection } from '../../src/kernel/projection';
import { killSwitchAsked, stops } from '../../src/modules/kill-switches/kill-switches.read-model';
import { COMPLETE_INDEX } from './complete-index';
import { CountingEntropy, RecordingLog } from './fixture-doubles';
import { FollowedProjections } from './followed-projections';
import { ManualClock } from './manual-clock';
import { MemoryDocuments } from './memory-documents';
import { MemoryEventStore } from './memory-event-store';
import { termsOf } from './payment-terms';
import { ScriptedChain, type ScriptedTransfer } from './scripted-chain';
import { StoredReadModels } from '../../projections/runner/read-models';

export { CountingEntropy, ManualClock, RecordingLog };

export const NOON = Date.parse('2026-11-01T12:00:00.000Z');
export const MERCHANT = 'mch_00000000000000000000000000';
export const WALLET = 'wal_00000000000000000000000000';
const OTHER_MERCHANT = 'mch_00000000000000000000000009';
const OTHER_WALLET = 'wal_00000000000000000000000009';
export const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const PAYER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

export const INSTANCE = 'scripted';

const TOKEN_IDS: Readonly<Record<NetworkId, TokenId>> = { tron: 'usdt-tron', bnb: 'usdt-bnb', base: 'usdc-base' };

export type FixtureOptions = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly chain: Chain;
  readonly matchAtFirstSight: boolean;
  readonly store: MemoryEventStore;
  readonly clock: ManualClock;
  /**
   * Whether a transfer that meets no amount may be credited by inference. By default another merchant has a wallet at
   * the same address, where nothing is inferred.
   */
  readonly infers: boolean;
  readonly dedicated: boolean;
  readonly toleranceBps: number;
};

const PROJECTIONS: readonly Projection[] = [
  paymentIntentsProjection,
  deadlinesProjection,
  namingsProjection,
  unmatchedTransfersProjection,
  coverageHolesProjection,
  deferredTransfersProjection,
  reconciliationsProjection,
];

/**
 * One merchant's payments on one chain, a scripted one by default: the very classes that production runs, over stores
 * in memory.
 */
export class PaymentFixture {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly token: Token;
  /** The merchant's, as the network writes it. */
  readonly address: string;
  private readonly watched: Chain;
  private readonly policy: WatchPolicy;
  private readonly options: Partial<FixtureOptions>;

  readonly infersCredits = true;
  readonly clock: ManualClock;
  readonly entropy = new CountingEntropy();
  readonly log = new RecordingLog();
  readonly store: MemoryEventStore;
  readonly documents = new MemoryDocuments();
  readonly chain = new ScriptedChain(NOON);
  progress = COMPLETE_INDEX;
  /** The watchers' messages to the operator. */
  readonly notices: SetAsideNotice[] = [];
  readonly verdicts = new Map<string, 'clear' | 'high_risk' | 'silent'>();
  readonly readModels: StoredReadModels;
  readonly writes: WritePath;
  readonly commands: SystemCommands;
  readonly reservations: AmountReservation;
  readonly selection: MethodSelection;
  private commandCount = 0;
  private readonly projections = new FollowedProjections(this.documents, PROJECTIONS);
  private gathering = Promise.resolve();
  private gathered = 0;

  constructor(options: Partial<FixtureOptions> = {}) {
    this.options = options;
    this.mode = options.mode ?? 'test';
    this.network = options.network ?? 'base';
    this.token = TOKENS[TOKEN_IDS[this.network]];
    this.address = this.network === 'tron' ? tronTwin(ADDRESS) : ADDRESS;
    this.watched = options.chain ?? this.chain;
    this.policy = watchPolicy(this.mode, options.matchAtFirstSight ?? false);
    this.store = options.store ?? new MemoryEventStore();
    this.clock = options.clock ?? new ManualClock(NOON);
    this.readModels = new StoredReadModels(this.documents, this.store, this.clock);
    this.writes = new WritePath(this.store, this.clock, (stream, history) => this.project(stream, history));
    this.commands = new SystemCommands(this.writes, this.clock, this.entropy);
    this.reservations = new AmountReservation(this.writes, this.readModels);
    this.selection = new MethodSelection(this.writes, new SelectionChecks(this.terms()), this.reservations);
  }

  /** The watcher as a service makes it at its start; a restart brings a second one. */
  async watcher(): Promise<NetworkWatcher> {
    await this.addWallet();
    const { commands, clock, log, progress, reservations } = this;
    const network = this.watchedNetwork();
    return composeWatcher(this, network, {
      coverage: await this.documents.open<CoverageDocument>(COVERAGE_COLLECTION),
      progress,
      matching: composeMatching(this, [network], await this.frontiers()),
      settlement: new Settlement(commands, this.screening, reservations, clock, log),
      deposits: null,
      tellOperator: notice => Promise.resolve(void this.notices.push(notice)),
    });
  }

  sweeper(): Sweeper {
    const { mode, readModels, commands, clock, log } = this;
    const means = { config: { modes: [mode] }, readModels, commands, clock, log };
    return composeSweeper(means, {
      gaplessUntil: async (...asked) => (await this.frontiers()).gaplessUntil(...asked),
      isSlotWaiting: async (...asked) => (await this.frontiers()).isSlotWaiting(...asked),
    });
  }

  setAside(): SetAside {
    const { mode, network, store, writes, commands, readModels, log } = this;
    return new SetAside({ mode, network, instance: INSTANCE, store, writes, commands, readModels, log });
  }

  async frontiers(): Promise<Frontiers> {
    const documents = await this.documents.open<CoverageDocument>(COVERAGE_COLLECTION);
    return new Frontiers([this.watchedNetwork()], documents, this.readModels, this.clock);
  }

  private watchedNetwork(): WatchedNetwork {
    const { mode, network, watched: chain, policy } = this;
    return { mode, network, chain, instance: INSTANCE, policy };
  }

  async coverage(): Promise<CoverageDocument | null> {
    const documents = await this.documents.open<CoverageDocument>(COVERAGE_COLLECTION);
    return (await documents.get(coverageId(this.mode, this.network)))?.body ?? null;
  }

  /** An intent, of 25.00 EUR by default, with its quote locked; answers the amount to pay, in base units. */
  async quoted(id: string, amountMinorUnits = '2500'): Promise<bigint> {
    const terms = termsOf({ amount_minor_units: amountMinorUnits });
    await this.writes.execute(paymentIntents, id, { type: 'create', terms }, this.context());
    await this.select(id);
    const state = await this.payment(id);
    if (state.status !== 'awaiting_payment') throw new Error(`${id} is ${state.status}`);
    return BigInt(state.quote.due_base_units);
  }

  /** Selects the fixture's token, at its wallet. */
  async select(id: string, context = this.context()): Promise<void> {
    await this.selection.select(id, this.token.id, WALLET, await this.methodTerms(), context);
  }

  async payment(id: string): Promise<PaymentIntent> {
    return fold(paymentIntents, await this.events(id));
  }

  async events(id: string) {
    return (await this.writes.load(paymentIntents, this.mode, id)).history;
  }

  async eventTypes(id: string): Promise<readonly string[]> {
    return (await this.events(id)).map(event => event.type);
  }

  transfer(txHash: string, valueBaseUnits: bigint, from = PAYER): ScriptedTransfer {
    return { txHash, contract: this.token.contract[this.mode], from, to: this.address, valueBaseUnits };
  }

  /** Lets the chain's and the service's time pass together. */
  mineEmpty(count: number): void {
    this.chain.mineEmpty(count);
    this.clock.timeMs += count * 1_000;
  }

  context(): MerchantContext {
    this.commandCount += 1;
    return {
      commandId: `command-${this.commandCount}`,
      actor: { role: 'api', type: 'api_key', id: 'key_1' },
      universe: this.mode,
      merchantId: MERCHANT,
      startedAt: this.clock.now(),
      now: this.clock.now() + (this.mode === 'test' ? this.clock.aheadAt(MERCHANT) : 0),
      requestId: null,
      correlationId: 'test',
      causationId: null,
      ip: null,
    };
  }

  get quoteEndMs(): number {
    return NOON + QUOTE_TTL_MS;
  }

  private async methodTerms(): Promise<MethodTerms> {
    const { readModel, universe, id } = killSwitchAsked('network', this.network);
    const isStopped = stops((await this.readModels.get(readModel, universe, id))?.body, this.mode);
    return {
      enabledTokens: [this.token.id],
      stoppedTokens: isStopped ? [this.token.id] : [],
      toleranceBps: this.options.toleranceBps ?? 0,
      walletVelocity: null,
    };
  }

  private terms(): PaymentTerms {
    return {
      verifiedWallet: () => {
        const { network, address } = this;
        return Promise.resolve({ id: WALLET, network, address, dedicated: this.options.dedicated ?? false });
      },
      routesOf: () => Promise.resolve(new Map([[this.token.id, WALLET]])),
      sightOf: () => Promise.resolve('in_time'),
      rate: () => ({ rate: '1.08', dollarRate: '1', observations: [] }),
    };
  }

  private readonly screening: Screening = {
    screen: ({ payer }) => {
      const verdict = this.verdicts.get(payer) ?? 'clear';
      if (verdict === 'silent') return Promise.reject(new Error('the screening does not answer'));
      return Promise.resolve({ verdict, source: 'test', reference: null });
    },
  };

  private async addWallet(): Promise<void> {
    const wallets = await this.documents.open(walletsProjection);
    const body = {
      merchant_id: MERCHANT,
      mode: this.mode,
      network_id: this.network,
      status: 'verified',
      address: this.address,
    };
    await wallets.put({ id: WALLET, version: 1, body: { ...body, created: isoTime(NOON) } });
    if (this.options.infers) return;
    const other = { ...body, merchant_id: OTHER_MERCHANT, created: isoTime(NOON) };
    await wallets.put({ id: OTHER_WALLET, version: 1, body: other });
  }

  /** Does the work of runner and write-through in one: every projection that a test here reads follows at once. */
  async project(_stream: string, history: readonly RecordedEvent[]): Promise<void> {
    await this.projections.follow(history);
    await (this.gathering = this.gathering.then(() => this.gather(history)));
  }

  /** Documents that many streams feed take the newest event alone, each at its own place in the log. */
  private async gather(history: readonly RecordedEvent[]): Promise<void> {
    const collection = await this.documents.open<TakenAmountsDocument>(takenAmountsProjection);
    const newest = history.slice(-1).map(event => ({ ...event, position: ++this.gathered as LogPosition }));
    await writeChanges(collection, await readChanges(takenAmountsProjection, collection, newest));
  }
}
