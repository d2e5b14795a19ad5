import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock';
import type { Deeds, DeedsParts } from './deeds';
import type { Payment } from './payers';

const MOST_TOGETHER = 4;
/** The time that a naming waits for its transaction, less a few minutes. */
const NEARLY_OVER_MS = 24 * HOUR_MS - 6 * MINUTE_MS;

/** Namings that come before their transaction does, and several of one transaction. */
export class NamingDeeds {
  constructor(
    private readonly parts: DeedsParts,
    private readonly deeds: Deeds,
  ) {}

  /** Several payments by one transaction that waits for its block; each is named by its log, some for each other. */
  async nameTogether(): Promise<void> {
    const { prng, payers, intents } = this.parts;
    const waiting = (await this.deeds.waiting()).map(([, intent]) => intent);
    const others = intents.all.map(([, intent]) => intent).slice(-MOST_TOGETHER);
    const meant = [...waiting, ...others].slice(0, 2 + prng.below(MOST_TOGETHER - 1));
    const known = payers.payments.length;
    await payers.payTogether(meant);
    const paid = payers.payments.slice(known);
    const [first] = paid;
    if (!first) return;
    const isHeld = prng.chance(60);
    if (isHeld) payers.mempool.hold(first.txHash);
    if (prng.chance(30)) await this.mine(first);
    await this.nameAll(paid);
    if (!isHeld) return;
    for (let step = prng.below(4); step > 0; step--) await this.parts.time.pass((1 + prng.below(60)) * SECOND_MS);
    if (prng.chance(50)) await this.nameAll(paid);
    payers.mempool.release(first.txHash);
    if (prng.chance(50)) await this.mine(first);
    await this.nameAll(paid.slice(0, 1));
    await this.deeds.passSome(2, 20);
  }

  /** Named a day before it comes into a block, which is seen only when the naming's day is over. */
  async nameLongBefore(): Promise<void> {
    const { prng, payers, time, outside } = this.parts;
    const [shop, intent] = (await this.deeds.waiting()).at(-1) ?? [];
    if (!shop || intent === undefined) return;
    const known = payers.payments.length;
    await payers.pay(intent, false, prng.pick(['short', 'over', 'hair'] as const));
    const paid = payers.payments[known];
    if (!paid) return;
    payers.mempool.hold(paid.txHash);
    this.deeds.nameFor(shop, intent, paid);
    await time.pass(5 * SECOND_MS);
    await time.pass(prng.chance(60) ? NEARLY_OVER_MS : (1 + prng.below(23)) * HOUR_MS);
    const { faults } = outside.chainOn(paid.network);
    payers.mempool.release(paid.txHash);
    faults.unavailable = 100;
    await time.pass(SECOND_MS);
    for (let part = 0; part < 2; part++) await time.pass((1 + prng.below(6)) * MINUTE_MS);
    faults.unavailable = 0;
    await this.deeds.passSome(3, 30);
  }

  /** Named as a provider does not know the transaction any more, and before the list of transfers shows it. */
  async nameUnlisted(): Promise<void> {
    const { prng, payers, time, outside, troubles, clients } = this.parts;
    const [shop, intent] = (await this.deeds.waiting()).at(-1) ?? [];
    if (!shop || intent === undefined) return;
    const known = payers.payments.length;
    await payers.pay(intent, false, prng.pick(['short', 'over', 'hair'] as const));
    const paid = payers.payments[known];
    if (!paid) return;
    troubles.slowDocuments(prng.pick(['transfer', 'transfer', null] as const));
    for (let step = 0; step < 3; step++) await time.pass((4 + prng.below(4)) * SECOND_MS);
    const { faults } = outside.chainOn(paid.network);
    faults.unanswered = 100;
    clients.name(shop, intent, paid, null, 'merchant');
    await time.pass((1 + prng.below(3)) * SECOND_MS);
    faults.unanswered = 0;
    await this.deeds.passSome(2, 30);
    if (prng.chance(70)) troubles.hurryDocuments();
  }

  /** Each payer says which transfer is theirs; somebody else may say so before or after that. */
  private async nameAll(paid: readonly Payment[]): Promise<void> {
    const { prng, payers, intents, clients } = this.parts;
    for (const payment of paid) {
      const { ordinal } = payers.placeOf(payment);
      const another = prng.chance(35) ? prng.pick(paid).meant : null;
      const namers = another === null ? [payment.meant] : [another, payment.meant];
      for (const intent of prng.chance(50) ? namers : namers.reverse()) {
        const shop = intents.shopOf(intent);
        const logIndex = ordinal < 0 || prng.chance(15) ? null : ordinal;
        if (shop) clients.name(shop, intent, payment, logIndex, prng.chance(75) ? 'merchant' : 'checkout');
        if (prng.chance(50)) await this.deeds.turns();
      }
    }
  }

  /** The block is there, and its watcher has yet to look. */
  private async mine({ network }: Payment): Promise<void> {
    const { outside, payers } = this.parts;
    payers.mempool.mineInto(outside.chainOn(network));
    await this.deeds.turns();
  }
}
