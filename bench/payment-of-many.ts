import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ALL_PROJECTIONS } from '../projections/all';
import { mirrorWriter, StoredReadModels } from '../projections/runner/read-models';
import { systemContext } from '../src/kernel/command-context';
import { randomUuid } from '../src/kernel/entropy';
import { TOKENS } from '../src/vocabulary/tokens';
import { SystemCommands } from '../src/kernel/system-commands';
import { WritePath } from '../src/kernel/write-path';
import { watchPolicy } from '../src/vocabulary/watch-policy';
import { paymentIntents } from '../src/modules/payment-intents/payment-intent.decider';
import type { Quote } from '../src/modules/payment-intents/payment-intent.events';
import { SystemClock } from '../src/platform/clock/system-clock';
import { SystemEntropy } from '../src/platform/clock/system-entropy';
import { EmbeddedDocuments } from '../src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../src/platform/event-store/embedded/embedded-event-store';
import { createLogger } from '../src/platform/logging/logger';
import { TransferClaims } from '../src/processes/matching/transfer-claims';
import { TransferCredit } from '../src/processes/matching/transfer-credit';
import { TransferMatching } from '../src/processes/matching/transfer-matching';
import { AmountReservation } from '../src/processes/method-selection/amount-reservation';
import { MethodSelection } from '../src/processes/method-selection/method-selection';
import { SelectionChecks } from '../src/processes/method-selection/selection-checks';
import { Settlement } from '../src/processes/settlement';
import { ChainView } from '../src/watchers/chain-view';
import { PaymentFollower } from '../src/watchers/payment-follower';
import { ScriptedChain } from '../test/support/scripted-chain';
import { median } from './measure';
import { wallClocks } from './wall-clocks';

const MANY = 100;
const ROUNDS = 7;
const DEPTH = 20;
const MERCHANT = 'mch_00000000000000000000000000';
const WALLET = 'wal_00000000000000000000000000';
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const PAYER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const TOKEN = TOKENS['usdc-base'];

/**
 * R15a: the ratio of two CPU times per transfer, each from the sighting to the settlement. One payment that a hundred
 * transfers pay is compared with a hundred payments of one transfer each.
 */
export async function paymentOfMany(): Promise<number> {
  const place = new Place();
  try {
    const ratios: number[] = [];
    await place.round(MANY, 1);
    await place.round(1, MANY);
    for (let round = 0; round < ROUNDS; round++) {
      const single = await place.round(MANY, 1);
      ratios.push((await place.round(1, MANY)) / single);
    }
    return median(ratios);
  } finally {
    await place.close();
  }
}

/** One address on a chain of its own, over the engine that stands in a data folder. */
class Place {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'quittance-bench-'));
  private readonly file = EmbeddedFile.open(this.folder, { role: 'service' });
  private readonly wall = new SystemClock();
  private readonly entropy = new SystemEntropy();
  private readonly log = createLogger({ level: 'error' });
  private readonly store = new EmbeddedEventStore(this.file, this.wall);
  private readonly clock = wallClocks(this.wall);
  private readonly documents = new EmbeddedDocuments(this.file);
  private readonly writes = new WritePath(
    this.store,
    this.wall,
    mirrorWriter(this.documents, ALL_PROJECTIONS, this.log),
  );
  private readonly chain = new ScriptedChain(Date.now(), 1);
  private readonly commands = new SystemCommands(this.writes, this.clock, this.entropy);
  private readonly credits = new TransferCredit(this.commands, this.clock, this.log);
  private readonly matching = new TransferMatching(
    this.writes,
    this.clock,
    this.commands,
    this.credits,
    this.log,
    null,
  );
  private readonly readModels = new StoredReadModels(this.documents, this.store, this.wall);
  private readonly reservations = new AmountReservation(this.writes, this.readModels);
  private readonly selection = new MethodSelection(this.writes, new SelectionChecks(this.terms()), this.reservations);
  private readonly follower = this.newFollower();
  private count = 0;
  private transfers = 0;

  /** Microseconds of CPU by transfer, for so many payments that each get so many. */
  async round(payments: number, transfersEach: number): Promise<number> {
    const quotes = [];
    for (let payment = 0; payment < payments; payment++) quotes.push(await this.quoted());
    const before = process.cpuUsage();
    const paid = quotes.flatMap(({ due_base_units }) => Array.from({ length: transfersEach }, () => due_base_units));
    const block = this.chain.mine(...paid.map(value => this.transfer(BigInt(value))));
    const reading = await this.chain.transfersInBlock(block.hash, TOKEN.contract.live, [ADDRESS]);
    for (const transfer of reading.transfers)
      await this.matching.observe({ mode: 'live', token: TOKEN, transfer, block, paidAtMs: Date.now() });
    for (const blocks of [1, DEPTH, 1]) {
      this.chain.mineEmpty(blocks);
      await this.follow();
    }
    const { user, system } = process.cpuUsage(before);
    await this.checkSettled(transfersEach);
    return (user + system) / (payments * transfersEach);
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.documents.close();
    this.file.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async follow(): Promise<void> {
    const head = await this.chain.head();
    const replaced = { from: null, isUnknown: false };
    const view = new ChainView(head, head.number, replaced, this.chain, height => this.chain.blockAt(height));
    await this.follower.follow(view);
  }

  private async quoted(): Promise<Quote> {
    const id = this.nextId();
    const terms = {
      // No runner fills the index of taken amounts here, so prices differ and each has free amounts enough.
      amount_minor_units: String(1_000 + (this.count % MANY)),
      currency: 'USD',
      currency_decimals: 2,
      metadata: {},
      description: null,
      success_url: null,
      restarted_from: null,
      payment_link: null,
      invoice: null,
    };
    const context = () => ({
      ...systemContext(randomUuid(this.entropy), {
        actor: 'watcher',
        mode: 'live',
        merchantId: MERCHANT,
        now: Date.now(),
      }),
      actor: { role: 'api', type: 'api_key', id: 'key_00000000000000000000000000' } as const,
    });
    await this.writes.execute(paymentIntents, id, { type: 'create', terms }, context());
    const methodTerms = { enabledTokens: [TOKEN.id], stoppedTokens: [], toleranceBps: 0, walletVelocity: null };
    await this.selection.select(id, TOKEN.id, WALLET, methodTerms, context());
    const { state } = await this.writes.load(paymentIntents, 'live', id);
    if (state.status === 'none' || state.quote === null) throw new Error(`${id} has no quote`);
    return state.quote;
  }

  private nextId(): string {
    return `pi_${String(++this.count).padStart(26, '0')}`;
  }

  private async checkSettled(transfersEach: number): Promise<void> {
    const { state } = await this.writes.load(paymentIntents, 'live', `pi_${String(this.count).padStart(26, '0')}`);
    const expected = transfersEach === 1 ? 'confirmed' : 'overpaid';
    if (state.status !== expected) throw new Error(`a payment of ${transfersEach} transfers is ${state.status}`);
  }

  private transfer(valueBaseUnits: bigint) {
    const txHash = `0x${(this.transfers += 1).toString(16).padStart(64, '0')}`;
    return { txHash, contract: TOKEN.contract.live, from: PAYER, to: ADDRESS, valueBaseUnits };
  }

  private newFollower(): PaymentFollower {
    const { commands, clock, log, chain, matching, credits, reservations, readModels } = this;
    const screening = {
      screen: () => Promise.resolve({ verdict: 'clear', source: 'bench', reference: null } as const),
    };
    const settlement = new Settlement(commands, screening, reservations, clock, log);
    const network = TOKEN.network;
    const watched = () => ({ chain, policy: watchPolicy('live', false) });
    const claims = new TransferClaims({
      commands,
      matching,
      credits,
      watched,
      isGaplessBelow: () => Promise.resolve(true),
    });
    const parts = { mode: 'live', network, chain, commands, claims, clock, log } as const;
    return new PaymentFollower({ ...parts, readModels, settlement });
  }

  private terms() {
    return {
      verifiedWallet: () => Promise.resolve({ id: WALLET, network: TOKEN.network, address: ADDRESS, dedicated: false }),
      routesOf: () => Promise.resolve(new Map([[TOKEN.id, WALLET]])),
      sightOf: () => Promise.resolve('in_time' as const),
      rate: () => ({ rate: '1', dollarRate: '1', observations: [] }),
    };
  }
}
