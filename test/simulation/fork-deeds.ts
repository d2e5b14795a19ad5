import { parseIsoTime, SECOND_MS } from '../../src/kernel/clock';
import type { Deeds, DeedsParts } from './deeds';
import type { ShopIntent } from './intents';
import type { Payment } from './payers';

/** More than the deepest standard rule of any network asks for. */
const BLOCKS_TO_COUNT = 22;
const SMALL_STEPS = 10;

/** Payments on a chain that has more than one end: the transfers of one fork are absent or different on the other. */
export class ForkDeeds {
  constructor(
    private readonly parts: DeedsParts,
    private readonly deeds: Deeds,
  ) {}

  /** Paid, seen, paid otherwise on another fork, seen there, and back: all in less time than it takes to count. */
  async payAndReturn(): Promise<void> {
    const { prng, payers, time, troubles, outside } = this.parts;
    const { deeds } = this;
    const newest = await this.newest();
    if (!newest) return;
    const [shop, intent] = newest;
    const paid = await this.pay(intent, prng.chance(40));
    if (!paid) return;
    if (!payers.isExact(paid)) deeds.nameFor(shop, intent, paid);
    await deeds.passSome(2, 4);
    if (!payers.isExact(paid)) deeds.nameFor(shop, intent, paid);
    await deeds.turns();
    troubles.lose(paid, time.now(), prng.pick(['changed', 'changed', 'either'] as const));
    await deeds.turns();
    await deeds.passSome(1, 4);
    if (prng.chance(30)) await deeds.name();
    troubles.comeBack(time.now(), outside.chainOn(paid.network));
    await deeds.turns();
    await deeds.passSome(2, 8);
    const [other, another] = (await this.newest()) ?? [];
    if (other && another !== undefined && another !== intent && prng.chance(30)) deeds.nameFor(other, another, paid);
  }

  /**
   * Paid, and in another block now; a process that starts sees it where it was, after the others have seen it where it
   * is.
   */
  async payAndStartBehind(): Promise<void> {
    const { prng, time, troubles, service } = this.parts;
    const { deeds } = this;
    const [, intent] = (await this.newest()) ?? [];
    const paid = intent === undefined ? null : await this.pay(intent, prng.chance(80));
    if (!paid) return;
    await deeds.passSome(2, 4);
    troubles.lose(paid, time.now(), 'kept');
    if (prng.chance(70)) await deeds.passSome(1, 5);
    service.startBehind(paid.network);
    await deeds.passSome(3, 4);
    if (prng.chance(60)) service.killNewest();
  }

  /** Paid, counted, and executed otherwise on another fork. */
  async payAndChange(): Promise<void> {
    const { prng, time, troubles, outside } = this.parts;
    const [, intent] = (await this.newest()) ?? [];
    const paid = intent === undefined ? null : await this.pay(intent, prng.chance(70));
    if (!paid) return;
    const { blockMs } = outside.chainOn(paid.network);
    await time.pass(2 * SECOND_MS);
    await time.pass((BLOCKS_TO_COUNT + prng.below(5)) * blockMs);
    troubles.lose(paid, time.now(), 'changed');
    await this.deeds.turns();
    await this.deeds.passSome(3, 10);
  }

  /**
   * Pays in time on a fork that nobody has read when another fork takes its place. The payment comes back past the
   * quote's end, when the service has just read the other fork.
   */
  async payOnTheOtherFork(): Promise<void> {
    const { prng, payers, time, troubles, outside } = this.parts;
    const [, intent] = (await this.newest()) ?? [];
    const state = intent === undefined ? null : await payers.state(intent);
    if (intent === undefined || state?.status !== 'awaiting_payment') return;
    const chain = outside.chainOn(state.quote.network_id);
    const leftMs = parseIsoTime(state.quote.quote_expires_at) - time.now().timeMs;
    const earlyMs = (4 + prng.below(40)) * SECOND_MS;
    if (leftMs > earlyMs) await time.pass(leftMs - earlyMs);
    chain.faults.unavailable = 100;
    const paid = await this.pay(intent, true);
    await time.pass(SECOND_MS);
    if (paid) troubles.lose(paid, time.now(), 'gone');
    if (prng.chance(60)) await time.pass((1 + prng.below(3)) * 30 * SECOND_MS);
    chain.faults.unavailable = 0;
    if (paid) troubles.trap(chain, () => time.now());
    for (let step = 0; step < SMALL_STEPS && chain.trap; step++) await time.pass((2 + prng.below(8)) * SECOND_MS);
    chain.trap = null;
  }

  /** The first of the transfers that are sent now; null where none is. */
  private async pay(intent: string, isExact: boolean): Promise<Payment | null> {
    const { payers, prng } = this.parts;
    const known = payers.payments.length;
    await payers.pay(intent, isExact, isExact ? 'exact' : prng.pick(['short', 'over', 'hair'] as const));
    return payers.payments[known] ?? null;
  }

  private async newest(): Promise<ShopIntent | null> {
    return (await this.deeds.waiting()).at(-1) ?? null;
  }
}
