import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock';
import type { NetworkId } from '../../src/vocabulary/networks';
import { ChainWitness } from './checkers/chain-witness';
import { EndpointWitness } from './checkers/endpoint-witness';
import { Business } from './business';
import { BusinessDeeds } from './business-deeds';
import { Clients } from './clients';
import { Deeds } from './deeds';
import { ForkDeeds } from './fork-deeds';
import { Intents } from './intents';
import { isOn, type Knob } from './knobs';
import { MerchantDeeds } from './merchant-deeds';
import { NamingDeeds } from './naming-deeds';
import { orderOf } from './orders';
import { FORMER_BLOCKS, Outside, type ChainOutside, type Moment } from './outside';
import { Payers } from './payers';
import type { Prng } from './prng';
import { ProviderDeeds } from './provider-deeds';
import { Scheduler } from './scheduler';
import { settingOf } from './setting';
import { openShop, type Shop } from './shops';
import { SimulatedProcess } from './simulated-process';
import { Troubles } from './troubles';
import { WalletDeeds } from './wallet-deeds';

export const NOON = Date.parse('2026-11-01T12:00:00.000Z');

const SHOPS = 2;
/** Blocks that are made one by one as time passes; over a longer time the chain stands still, which costs nothing. */
const MOST_BLOCKS = 40;
const TURNS_AT_ONCE = 160;
const QUIET_TURNS = 200_000;
/** More than the webhooks' 45 hours and the reservations' 24 together. */
const HEALING_MS = 3 * DAY_MS;
const HEALING_STEP_MS = 2 * HOUR_MS;
/** At first every block and every poll has its turn. */
const FINE_STEPS = 24;

/**
 * Two shops, their clients and payers, two troubled chains, and a service that dies now and then. One seed decides them
 * all.
 */
export class World {
  readonly scheduler: Scheduler;
  readonly outside: Outside;
  readonly clients: Clients;
  readonly business: Business;
  readonly payers: Payers;
  readonly witness: ChainWitness;
  readonly endpoints: EndpointWitness;
  private readonly intents: Intents;
  private readonly troubles: Troubles;
  private readonly deeds: Deeds;
  private readonly forkDeeds: ForkDeeds;
  private readonly providerDeeds: ProviderDeeds;
  private readonly namingDeeds: NamingDeeds;
  private readonly walletDeeds: WalletDeeds;
  private readonly merchantDeeds: MerchantDeeds;
  private readonly businessDeeds: BusinessDeeds;
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
    this.business = new Business(this.clients);
    this.payers = new Payers(this.outside, prng);
    this.intents = new Intents(this.clients, this.payers, prng);
    this.troubles = new Troubles(this.outside, this.payers, prng);
    this.witness = new ChainWitness(this.outside.chains, () => this.now);
    const { outside, scheduler, clients, payers, intents, troubles } = this;
    const time = { pass: (durationMs: number) => this.pass(durationMs), now: () => this.now };
    const service = {
      startBehind: (network: NetworkId) => this.startBehind(network),
      killNewest: () => this.killNewest(),
      keepUp: () => this.keepUp(),
    };
    const parts = { outside, scheduler, clients, payers, intents, troubles, prng, service, time };
    this.deeds = new Deeds(parts);
    this.forkDeeds = new ForkDeeds(parts, this.deeds);
    this.providerDeeds = new ProviderDeeds(parts, this.deeds);
    this.namingDeeds = new NamingDeeds(parts, this.deeds);
    this.walletDeeds = new WalletDeeds(parts, this.deeds);
    this.merchantDeeds = new MerchantDeeds(parts, this.deeds);
    this.businessDeeds = new BusinessDeeds(parts, this.deeds, this.business);
    this.endpoints = new EndpointWitness(() => this.now);
    outside.onWebhook = url => this.endpoints.reached(url);
    outside.disk.witness = event => {
      this.witness.saw(event);
      this.endpoints.saw(event);
    };
  }

  async begin(): Promise<void> {
    for (const chain of this.outside.chains) chain.chain.mineEmpty(FORMER_BLOCKS);
    this.startProcess();
    const opening = this.openShops();
    while (this.shops.length < SHOPS) await this.pass(SECOND_MS);
    await opening;
    await this.pass(MINUTE_MS);
  }

  async act(): Promise<void> {
    const { prng, deeds, forkDeeds, providerDeeds, namingDeeds, walletDeeds, merchantDeeds, troubles } = this;
    const { businessDeeds } = this;
    const pooled = (weight: number): number => (this.outside.setting.nodes > 0 ? weight : 0);
    const actions: readonly (readonly [weight: number, act: () => Promise<void> | void])[] = [
      [10, () => this.create()],
      [2, () => this.selectAgain()],
      [3, () => this.cancel()],
      [18, () => deeds.pay(this.shops)],
      [2, () => deeds.payAtTheEnd()],
      [8, () => deeds.payInParts()],
      [8, () => deeds.payAndOrphan()],
      [where('batches', 5), () => deeds.payTogether()],
      [where('crumbs', 3), () => deeds.payWithCrumb()],
      [where('crowds', 2), () => deeds.payInCrowd()],
      [where('crowds', 1), () => deeds.payOften()],
      [where('returns', 5), () => forkDeeds.payAndReturn()],
      [where('returns', 2), () => forkDeeds.payAndChange()],
      [where('views', 4), () => forkDeeds.payAndStartBehind()],
      [where('traps', 5), () => forkDeeds.payOnTheOtherFork()],
      [9, () => deeds.name()],
      [3, () => deeds.resolve()],
      [6, () => merchantDeeds.review()],
      [4, () => merchantDeeds.liftHold('release_hold')],
      [2, () => merchantDeeds.liftHold('reject_hold')],
      [14, () => this.pass((1 + prng.below(4)) * SECOND_MS)],
      [20, () => this.pass((10 + prng.below(30)) * SECOND_MS)],
      [2, () => this.pass((1 + prng.below(30)) * MINUTE_MS)],
      [1, () => this.pass((1 + prng.below(30)) * HOUR_MS)],
      [2, () => deeds.blackout(this.shops)],
      [6, () => this.troubles.reorganise(this.now)],
      [where('returns', 4), () => this.troubles.comeBack(this.now)],
      [where('views', 5), () => this.fallBehind()],
      [where('switches', 4), () => merchantDeeds.turnEndpoint(this.shops)],
      [4, () => this.troubles.screenOtherwise()],
      [4, () => this.troubles.begin(this.shops, this.now)],
      [4, () => this.troubles.end()],
      [where('documents', 3), () => troubles.slowDocuments()],
      [where('documents', 4), () => troubles.hurryDocuments()],
      [where('wallets', 4), () => walletDeeds.payToNewWallet(this.shops)],
      [where('namings', 5), () => namingDeeds.nameTogether()],
      [where('namings', 1), () => namingDeeds.nameLongBefore()],
      [where('documents', 4), () => namingDeeds.nameUnlisted()],
      [pooled(8), () => troubles.providers.begin()],
      [pooled(4), () => troubles.providers.end()],
      [pooled(7), () => providerDeeds.payUnheard()],
      [pooled(8), () => providerDeeds.payByAWrongClock()],
      [pooled(3), () => providerDeeds.outvote()],
      [where('fees', 5), () => merchantDeeds.bill(this.shops)],
      [where('links', 3), () => businessDeeds.makeLink(this.shops)],
      [where('links', 7), () => businessDeeds.openTogether()],
      [where('links', 2), () => businessDeeds.restart()],
      [where('invoices', 4), () => businessDeeds.draftTogether(this.shops)],
      [where('invoices', 4), () => businessDeeds.issueTogether()],
      [where('invoices', 8), () => businessDeeds.payTwice()],
      [where('invoices', 3), () => businessDeeds.void()],
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
    this.payers.mempool.releaseAll();
    this.outside.verdicts.clear();
    this.outside.health.clear();
    for (const process of this.processes.splice(0)) process.kill();
    this.startProcess();
    this.merchantDeeds.enableAll(this.shops);
    for (let step = 0; step < FINE_STEPS; step++) {
      await this.pass(20 * SECOND_MS);
      if (step % 10 === 0) this.clients.askAgain();
    }
    for (let passedMs = 0; passedMs < HEALING_MS; passedMs += HEALING_STEP_MS) {
      await this.pass(HEALING_STEP_MS);
      await this.merchantDeeds.releaseAll();
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

  /** Time passes on every clock, blocks are made, and each waiting caller goes on until all is quiet. */
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
    this.payers.mempool.mineInto(outside);
    outside.chain.mineEmpty(made - 1);
  }

  private create(): void {
    this.clients.create(this.prng.pick(this.shops), this.anyNetwork(), orderOf(this.prng));
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

  /** Two processes, or one after another, see different ends of one chain. */
  private fallBehind(): void {
    const { chains } = this.prng.pick(this.processes);
    if (this.prng.chance(50)) for (const chain of chains) chain.stayBehind(null);
    else this.troubles.fallBehind(this.prng.pick(chains));
  }

  private keepUp(): void {
    for (const { chains } of this.processes) for (const chain of chains) chain.stayBehind(null);
  }

  private startBehind(network: NetworkId): void {
    if (this.processes.length >= 2) this.killNewest();
    this.startProcess();
    const chain = this.processes.at(-1)?.chains.find(({ outside }) => outside.network === network);
    if (chain) this.troubles.fallBehind(chain);
  }

  private killNewest(): void {
    this.processes.pop()?.kill();
    if (this.processes.length === 0) this.startProcess();
  }

  /** One process at least runs, or is on its way. */
  private kill(): void {
    const [victim] = this.processes.splice(this.prng.below(this.processes.length), 1);
    victim?.kill();
    if (this.processes.length === 0) this.startProcess();
  }

  /** At most two processes run at once, as while a new release takes over from the old one. */
  private startProcess(): void {
    if (this.processes.length >= 2) return;
    this.started += 1;
    const process = new SimulatedProcess(this.outside, this.scheduler, this.seed * 1_000 + this.started);
    this.processes.push(process);
    process.start();
  }
}

/** A trouble's weight; none where it is turned off. */
function where(knob: Knob, weight: number): number {
  return isOn(knob) ? weight : 0;
}
