import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock';
import type { PaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import { Clients } from './clients';
import { Outside, type ChainOutside } from './outside';
import { Payers } from './payers';
import type { Prng } from './prng';
import { Scheduler } from './scheduler';
import { openShop, type Shop } from './shops';
import { SimulatedProcess } from './simulated-process';

export const NOON = Date.parse('2026-11-01T12:00:00.000Z');

const SHOPS = 2;
/** One less than the depth at which a transfer counts on the shallower network. */
const DEEPEST_REORGANISATION = 11;
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
  shops: readonly Shop[] = [];
  private processes: SimulatedProcess[] = [];
  private started = 0;

  constructor(
    private readonly prng: Prng,
    private readonly seed: number,
  ) {
    this.scheduler = new Scheduler(prng, NOON);
    this.outside = new Outside(this.scheduler, prng);
    this.clients = new Clients(this.outside, this.scheduler, () => this.prng.pick(this.processes));
    this.payers = new Payers(this.outside, prng);
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
    const actions: readonly (readonly [weight: number, act: () => Promise<void> | void])[] = [
      [10, () => this.create()],
      [2, () => this.selectAgain()],
      [2, () => this.cancel()],
      [18, () => this.pay()],
      [9, () => this.name()],
      [6, () => this.review()],
      [4, () => this.release()],
      [14, () => this.pass((1 + this.prng.below(4)) * SECOND_MS)],
      [20, () => this.pass((10 + this.prng.below(30)) * SECOND_MS)],
      [4, () => this.pass((1 + this.prng.below(30)) * MINUTE_MS)],
      [1, () => this.pass((1 + this.prng.below(30)) * HOUR_MS)],
      [10, () => this.reorganise()],
      [3, () => this.screenOtherwise()],
      [4, () => this.trouble()],
      [4, () => this.calm()],
      [5, () => this.kill()],
      [2, () => this.startProcess()],
      [3, () => this.clients.askAgain()],
    ];
    let ticket = this.prng.below(actions.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, act] of actions) {
      ticket -= weight;
      if (ticket >= 0) continue;
      await act();
      break;
    }
    await this.scheduler.run(this.prng.below(TURNS_AT_ONCE));
  }

  /** Ends all trouble, answers everybody, and lets the service come to rest. */
  async heal(): Promise<void> {
    this.calm();
    this.outside.verdicts.clear();
    this.outside.health.clear();
    for (const process of this.processes.splice(0)) process.kill();
    this.startProcess();
    for (let step = 0; step < FINE_STEPS; step++) {
      await this.pass(20 * SECOND_MS);
      if (step % 10 !== 0) continue;
      this.clients.askAgain();
      this.outside.disk.replayParked();
    }
    for (let passedMs = 0; passedMs < HEALING_MS; passedMs += HEALING_STEP_MS) {
      await this.pass(HEALING_STEP_MS);
      await this.releaseAll();
      if (this.clients.isWaiting) this.clients.askAgain();
    }
  }

  get intents(): readonly string[] {
    return this.shops.flatMap(shop => this.intentsOf(shop));
  }

  private async openShops(): Promise<void> {
    const [process] = this.processes as [SimulatedProcess];
    const { writes, secretBox } = process.core;
    for (let number = 1; number <= SHOPS; number++) {
      this.shops = [...this.shops, await openShop(writes, secretBox, number, this.scheduler.nowMs)];
    }
  }

  /** Time passes on every clock, blocks are made, and whoever waited for either goes on until all is quiet. */
  private async pass(durationMs: number): Promise<void> {
    const endMs = this.scheduler.nowMs + durationMs;
    for (const chain of this.outside.chains) this.makeBlocks(chain, durationMs);
    this.scheduler.advanceTo(endMs);
    await this.scheduler.run(QUIET_TURNS);
    await this.outside.noteCursors();
  }

  private makeBlocks(outside: ChainOutside, durationMs: number): void {
    const due = Math.max(1, Math.round(durationMs / outside.blockMs));
    const made = Math.min(due, MOST_BLOCKS);
    outside.chain.skipTime(durationMs - made * outside.blockMs);
    this.payers.mineInto(outside);
    outside.chain.mineEmpty(made - 1);
  }

  private intentsOf(shop: Shop): readonly string[] {
    return this.clients.acknowledged
      .filter(({ event, shop: own }) => event === 'PaymentIntentCreated' && own === shop)
      .map(({ paymentIntent }) => paymentIntent);
  }

  private async onIntent(act: (shop: Shop, intent: string) => Promise<void> | void): Promise<void> {
    const shop = this.prng.pick(this.shops);
    const intents = this.intentsOf(shop);
    // Mostly one of the newest: most of what happens to a payment happens soon.
    const recent = this.prng.chance(75) ? intents.slice(-3) : intents;
    if (recent.length > 0) await act(shop, this.prng.pick(recent));
  }

  /** All at one price, so that they contend for the same amounts. */
  private create(): void {
    this.clients.create(this.prng.pick(this.shops), this.prng.pick(['base', 'bnb'] as const), 2500n);
  }

  private selectAgain(): Promise<void> {
    return this.onIntent((shop, intent) => this.clients.select(shop, intent, this.prng.pick(['base', 'bnb'] as const)));
  }

  private cancel(): Promise<void> {
    return this.onIntent((shop, intent) => this.clients.cancel(shop, intent));
  }

  private pay(): Promise<void> {
    return this.onIntent((_, intent) => this.payers.pay(intent, this.prng.chance(50)));
  }

  /** Whoever paid a wrong amount has told the merchant, who names the transaction. */
  private async name(): Promise<void> {
    const wrong = this.payers.payments.filter(({ isExact }) => !isExact).slice(-4);
    if (wrong.length === 0) return;
    const { meant, transfer } = this.prng.pick(wrong);
    const shop = this.shops.find(candidate => this.intentsOf(candidate).includes(meant));
    if (shop) this.clients.name(shop, meant, transfer.txHash);
  }

  private async review(): Promise<void> {
    const decisions = [
      { type: 'accept', note: null },
      { type: 'resolve', resolution: 'accepted', note: 'good enough' },
      { type: 'resolve', resolution: 'rejected', note: 'sent back' },
    ] as const;
    const inReview = await this.intentsWhere(({ status }) => status === 'underpaid' || status === 'paid_late');
    if (inReview.length === 0 || this.prng.chance(50)) return;
    const [shop, intent] = this.prng.pick(inReview);
    this.clients.decide(shop, intent, this.prng.pick(decisions));
  }

  private async release(): Promise<void> {
    const [held] = await this.intentsWhere(isHeld);
    if (held) this.clients.release(...held);
  }

  private async releaseAll(): Promise<void> {
    for (const held of await this.intentsWhere(isHeld)) this.clients.release(...held);
  }

  private async intentsWhere(holds: (state: PaymentIntent) => boolean): Promise<readonly (readonly [Shop, string])[]> {
    const found: (readonly [Shop, string])[] = [];
    for (const shop of this.shops) {
      for (const intent of this.intentsOf(shop)) if (holds(await this.payers.state(intent))) found.push([shop, intent]);
    }
    return found;
  }

  private reorganise(): void {
    this.payers.reorganise(this.prng.pick(this.outside.chains), 1 + this.prng.below(DEEPEST_REORGANISATION));
  }

  private trouble(): void {
    const { disk, chains, health } = this.outside;
    const troubles = [
      () => Object.assign(disk.faults, { unavailable: this.prng.below(20), answerLost: this.prng.below(20) }),
      () => Object.assign(this.prng.pick(chains).faults, { unavailable: this.prng.below(101) }),
      () => Object.assign(this.prng.pick(chains).faults, { disagreeing: this.prng.below(60) }),
      () => Object.assign(this.prng.pick(chains).faults, { lagging: 50, lagBlocks: this.prng.below(25) }),
      () => Object.assign(this.prng.pick(chains).faults, { unanswered: this.prng.below(60) }),
      () => health.set(this.prng.pick(this.shops).endpoints[0]?.url ?? '', this.prng.below(100)),
    ];
    this.prng.pick(troubles)();
  }

  private screenOtherwise(): void {
    const verdict = this.prng.pick(['clear', 'silent', 'high_risk'] as const);
    this.outside.verdicts.set(this.payers.anyPayer(), verdict);
  }

  private calm(): void {
    Object.assign(this.outside.disk.faults, { unavailable: 0, answerLost: 0 });
    for (const { faults } of this.outside.chains) {
      Object.assign(faults, { unavailable: 0, unanswered: 0, disagreeing: 0, lagging: 0, lagBlocks: 0 });
    }
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
