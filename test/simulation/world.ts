import { DAY_MS, HOUR_MS, MINUTE_MS, parseIsoTime, SECOND_MS } from '../../src/kernel/clock';
import type { PaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import type { NetworkId } from '../../src/kernel/tokens';
import { ChainWitness } from './checkers/chain-witness';
import { Clients } from './clients';
import { Intents } from './intents';
import { Outside, type ChainOutside, type Moment } from './outside';
import { Payers } from './payers';
import type { Prng } from './prng';
import { Scheduler } from './scheduler';
import { settingOf } from './setting';
import { openShop, type Shop } from './shops';
import { SimulatedProcess } from './simulated-process';
import { Troubles } from './troubles';

export const NOON = Date.parse('2026-11-01T12:00:00.000Z');

const SHOPS = 2;
/** 20,000.00 EUR: a large quote on every network. */
const LARGE_MINOR_UNITS = 2_000_000n;
/** Blocks that are made one by one as time passes; over a longer time the chain stands still, which costs nothing. */
const MOST_BLOCKS = 40;
const TURNS_AT_ONCE = 160;
const QUIET_TURNS = 200_000;
/** More than the webhooks' 45 hours and the reservations' 24 together. */
const HEALING_MS = 3 * DAY_MS;
const HEALING_STEP_MS = 2 * HOUR_MS;
/** At first every block and every poll has its turn. */
const FINE_STEPS = 24;

/** Two shops, their clients and payers, two troubled chains, and a service that dies now and then: all that one seed says. */
export class World {
  readonly scheduler: Scheduler;
  readonly outside: Outside;
  readonly clients: Clients;
  readonly payers: Payers;
  readonly witness: ChainWitness;
  private readonly intents: Intents;
  private readonly troubles: Troubles;
  shops: readonly Shop[] = [];
  private processes: SimulatedProcess[] = [];
  private started = 0;
  private passes = 0;

  constructor(
    private readonly prng: Prng,
    private readonly seed: number,
  ) {
    this.scheduler = new Scheduler(prng, NOON);
    this.outside = new Outside(this.scheduler, prng, settingOf(seed));
    this.clients = new Clients(this.outside, this.scheduler, () => this.prng.pick(this.processes));
    this.payers = new Payers(this.outside, prng);
    this.intents = new Intents(this.clients, this.payers, prng);
    this.troubles = new Troubles(this.outside, this.payers, prng);
    this.witness = new ChainWitness(this.outside.chains, () => this.now);
    this.outside.disk.witness = event => this.witness.saw(event);
  }

  async begin(): Promise<void> {
    for (const chain of this.outside.chains) chain.chain.mineEmpty(30);
    this.startProcess();
    const opening = this.openShops();
    while (this.shops.length < SHOPS) await this.pass(SECOND_MS);
    await opening;
    await this.pass(MINUTE_MS);
  }

  async act(): Promise<void> {
    const { prng } = this;
    const actions: readonly (readonly [weight: number, act: () => Promise<void> | void])[] = [
      [10, () => this.create()],
      [2, () => this.selectAgain()],
      [3, () => this.cancel()],
      [18, () => this.pay()],
      [2, () => this.payAtTheEnd()],
      [8, () => this.payInParts()],
      [8, () => this.payAndOrphan()],
      [9, () => this.name()],
      [3, () => this.resolve()],
      [6, () => this.review()],
      [4, () => this.liftHold('release_hold')],
      [2, () => this.liftHold('reject_hold')],
      [14, () => this.pass((1 + prng.below(4)) * SECOND_MS)],
      [20, () => this.pass((10 + prng.below(30)) * SECOND_MS)],
      [2, () => this.pass((1 + prng.below(30)) * MINUTE_MS)],
      [1, () => this.pass((1 + prng.below(30)) * HOUR_MS)],
      [2, () => this.blackout()],
      [6, () => this.troubles.reorganise(this.now)],
      [4, () => this.troubles.screenOtherwise()],
      [4, () => this.troubles.begin(this.shops, this.now)],
      [4, () => this.troubles.end()],
      [5, () => this.kill()],
      [4, () => this.startProcess()],
      [3, () => this.clients.askAgain()],
    ];
    let ticket = prng.below(actions.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, act] of actions) {
      ticket -= weight;
      if (ticket >= 0) continue;
      await act();
      break;
    }
    await this.scheduler.run(prng.below(TURNS_AT_ONCE));
  }

  /** Ends all trouble, answers everybody, and lets the service come to rest. */
  async heal(): Promise<void> {
    this.troubles.end();
    this.outside.verdicts.clear();
    this.outside.health.clear();
    for (const process of this.processes.splice(0)) process.kill();
    this.startProcess();
    for (let step = 0; step < FINE_STEPS; step++) {
      await this.pass(20 * SECOND_MS);
      if (step % 10 === 0) this.clients.askAgain();
    }
    for (let passedMs = 0; passedMs < HEALING_MS; passedMs += HEALING_STEP_MS) {
      await this.pass(HEALING_STEP_MS);
      await this.releaseAll();
      if (this.clients.isWaiting) this.clients.askAgain();
    }
  }

  private get now(): Moment {
    return { timeMs: this.scheduler.nowMs, pass: this.passes };
  }

  private async openShops(): Promise<void> {
    const [process] = this.processes as [SimulatedProcess];
    for (let number = 1; number <= SHOPS; number++) {
      const shop = await openShop(this.outside.setting, process.core, number, this.scheduler.nowMs);
      this.shops = [...this.shops, shop];
    }
  }

  /** Time passes on every clock, blocks are made, and whoever waited for either goes on until all is quiet. */
  private async pass(durationMs: number): Promise<void> {
    const endMs = this.scheduler.nowMs + durationMs;
    for (const chain of this.outside.chains) this.makeBlocks(chain, durationMs);
    this.scheduler.advanceTo(endMs);
    await this.scheduler.run(QUIET_TURNS);
    this.passes += 1;
    await this.outside.noteCursors();
  }

  private makeBlocks(outside: ChainOutside, durationMs: number): void {
    const due = Math.max(1, Math.round(durationMs / outside.blockMs));
    const made = Math.min(due, MOST_BLOCKS);
    outside.chain.skipTime(durationMs - made * outside.blockMs);
    this.payers.mineInto(outside);
    outside.chain.mineEmpty(made - 1);
  }

  /** Nearly all at one price, so that they contend for the same amounts; a few are large enough to ask for a second receipt. */
  private create(): void {
    const amount = this.prng.chance(12) ? LARGE_MINOR_UNITS : 2500n;
    this.clients.create(this.prng.pick(this.shops), this.anyNetwork(), amount);
  }

  private selectAgain(): void {
    const [shop, intent] = this.intents.any(this.shops) ?? [];
    if (shop && intent !== undefined) this.clients.select(shop, intent, this.anyNetwork());
  }

  private anyNetwork(): NetworkId {
    return this.prng.pick(this.outside.setting.networks);
  }

  private cancel(): void {
    const [shop, intent] = this.intents.any(this.shops) ?? [];
    if (shop && intent !== undefined) this.clients.cancel(shop, intent);
  }

  /** Some tell the merchant at once, who names the transaction before it is in a block. */
  private async pay(): Promise<void> {
    const [shop, intent] = this.intents.any(this.shops) ?? [];
    if (!shop || intent === undefined) return;
    await this.payers.pay(intent, this.prng.chance(50));
    const last = this.payers.payments.at(-1);
    if (last?.meant !== intent || last.isExact || this.prng.chance(50)) return;
    this.clients.name(shop, intent, last.transfer.txHash, 'merchant');
  }

  /** Paid in parts, the first of which the merchant names: what is missing may come before or after it has counted. */
  private async payInParts(): Promise<void> {
    const [shop, intent] = (await this.intents.where(({ status }) => status === 'awaiting_payment')).at(-1) ?? [];
    if (!shop || intent === undefined) return;
    await this.payers.pay(intent, false, this.prng.pick(['short', 'short', 'edge', 'hair'] as const));
    const last = this.payers.payments.at(-1);
    if (last) this.clients.name(shop, intent, last.transfer.txHash, 'merchant');
    await this.pass((1 + this.prng.below(4)) * 15 * SECOND_MS);
    if (this.prng.chance(60)) await this.payers.pay(intent, this.prng.chance(70));
    // What has counted may go, so that more is missing than was asked for.
    if (this.prng.chance(40)) await this.loseWhatCounts(intent);
  }

  private async loseWhatCounts(intent: string): Promise<void> {
    const state = await this.payers.state(intent);
    if (state.status !== 'underpaid') return;
    const [counted] = Object.values(state.ledger.transfers).filter(({ final }) => final);
    const payment = this.payers.payments.find(({ transfer }) => transfer.txHash === counted?.tx_hash);
    if (payment) await this.troubles.lose(payment, this.now);
  }

  /** Paid, seen, and taken off the chain again: before it has counted, as it comes to count, or after. */
  private async payAndOrphan(): Promise<void> {
    const open = await this.intents.where(({ status }) => !['created', 'canceled', 'none'].includes(status));
    if (open.length === 0) return;
    const [, intent] = this.prng.pick(open.slice(-4));
    await this.payers.pay(intent, this.prng.chance(70));
    const parts = 1 + this.prng.below(3);
    for (let part = 0; part < parts; part++) await this.pass((1 + this.prng.below(14)) * SECOND_MS);
    await this.troubles.orphanLast(this.now);
    await this.scheduler.run(this.prng.below(TURNS_AT_ONCE));
    await this.pass((1 + this.prng.below(30)) * SECOND_MS);
  }

  /** Paid within seconds of the quote's end, before or after it, while the merchant may cancel. */
  private async payAtTheEnd(): Promise<void> {
    const open = await this.intents.where(({ status }) => status === 'awaiting_payment');
    const [shop, intent] = open.at(-1) ?? [];
    const state = intent === undefined ? null : await this.payers.state(intent);
    if (!shop || intent === undefined || state?.status !== 'awaiting_payment') return;
    const leftMs = parseIsoTime(state.quote.quote_expires_at) - this.scheduler.nowMs;
    const earlyMs = (this.prng.below(12) - 4) * SECOND_MS;
    if (leftMs > earlyMs) await this.pass(leftMs - earlyMs);
    if (this.prng.chance(15)) this.clients.cancel(shop, intent);
    await this.payers.pay(intent, this.prng.chance(80));
    await this.scheduler.run(this.prng.below(TURNS_AT_ONCE));
    await this.pass((1 + this.prng.below(6)) * SECOND_MS);
  }

  /** Payers pay on while nobody can look at their chain. */
  private async blackout(): Promise<void> {
    const { durationMs, over } = this.troubles.blackout();
    const parts = 1 + this.prng.below(4);
    for (let part = 0; part < parts; part++) {
      await this.pay();
      await this.pass(Math.round(durationMs / parts / SECOND_MS) * SECOND_MS);
    }
    over();
  }

  /** Whoever paid a wrong amount has told the merchant, who names the transaction. */
  private async name(): Promise<void> {
    const wrong = this.payers.payments.filter(({ isExact }) => !isExact).slice(-4);
    if (wrong.length === 0) return;
    const { meant, transfer } = this.prng.pick(wrong);
    const shop = this.intents.shopOf(meant);
    if (shop) this.clients.name(shop, meant, transfer.txHash, this.prng.chance(70) ? 'merchant' : 'checkout');
  }

  /** An administrator gives a transfer to the payment that it was meant for, mostly, or opens it again. */
  private async resolve(): Promise<void> {
    const payment = this.payers.payments.slice(-8).at(-1 - this.prng.below(8));
    if (!payment) return;
    const other = this.prng.pick(this.intents.all.slice(-4));
    const intent = this.prng.chance(80) ? payment.meant : other[1];
    const shop = this.intents.shopOf(intent);
    if (shop) this.clients.resolve(shop, intent, payment, this.prng.chance(25));
  }

  private async review(): Promise<void> {
    const decisions = [
      { type: 'accept', note: null },
      { type: 'resolve', resolution: 'accepted', note: 'good enough' },
      { type: 'resolve', resolution: 'rejected', note: 'sent back' },
    ] as const;
    const inReview = await this.intents.where(({ status }) => status === 'underpaid' || status === 'paid_late');
    if (inReview.length === 0 || this.prng.chance(50)) return;
    const [shop, intent] = this.prng.pick(inReview);
    this.clients.decide(shop, intent, this.prng.pick(decisions));
  }

  private async liftHold(type: 'release_hold' | 'reject_hold'): Promise<void> {
    const [held] = await this.intents.where(isHeld);
    if (held) this.clients.liftHold(...held, type);
  }

  private async releaseAll(): Promise<void> {
    for (const held of await this.intents.where(isHeld)) this.clients.liftHold(...held, 'release_hold');
  }

  /** One process at least runs, or is on its way. */
  private kill(): void {
    const [victim] = this.processes.splice(this.prng.below(this.processes.length), 1);
    victim?.kill();
    if (this.processes.length === 0) this.startProcess();
  }

  /** At most two at once, as while a new release takes over from the old one. */
  private startProcess(): void {
    if (this.processes.length >= 2) return;
    this.started += 1;
    const process = new SimulatedProcess(this.outside, this.scheduler, this.seed * 1_000 + this.started);
    this.processes.push(process);
    process.start();
  }
}

function isHeld(state: PaymentIntent): boolean {
  return state.status !== 'none' && state.quote !== null && state.ledger.hold?.status === 'open';
}
