import { parseIsoTime, SECOND_MS } from '../../src/kernel/clock';
import type { NetworkId } from '../../src/vocabulary/networks';
import type { NamingSide } from '../../src/modules/transfers/naming.events';
import type { Clients } from './clients';
import type { Intents, ShopIntent } from './intents';
import { isOn } from './knobs';
import type { Moment, Outside } from './outside';
import type { Habit, Payers, Payment } from './payers';
import type { Prng } from './prng';
import type { Scheduler } from './scheduler';
import type { Shop } from './shops';
import type { Troubles } from './troubles';

const TURNS_AT_ONCE = 160;
const MOST_TOGETHER = 5;

export type DeedsParts = {
  readonly outside: Outside;
  readonly scheduler: Scheduler;
  readonly clients: Clients;
  readonly payers: Payers;
  readonly intents: Intents;
  readonly troubles: Troubles;
  readonly prng: Prng;
  /** One more process starts, or takes another one's place, on a chain's end that was left; or the newest is killed. */
  readonly service: {
    readonly startBehind: (network: NetworkId) => void;
    readonly killNewest: () => void;
    /** From here on every process hears of each chain as it stands. */
    readonly keepUp: () => void;
  };
  readonly time: { readonly pass: (durationMs: number) => Promise<void>; readonly now: () => Moment };
};

/** Deeds of payers, and the answers of merchants and administrators: each a small story about one kind of trouble. */
export class Deeds {
  constructor(private readonly parts: DeedsParts) {}

  /** Some tell the merchant at once, who names the transaction before it is in a block. */
  async pay(shops: readonly Shop[]): Promise<void> {
    const { prng, intents, payers } = this.parts;
    const [shop, intent] = intents.any(shops) ?? [];
    if (!shop || intent === undefined) return;
    await payers.pay(intent, prng.chance(50));
    const last = payers.payments.at(-1);
    if (last?.meant !== intent || payers.isExact(last) || prng.chance(50)) return;
    this.nameFor(shop, intent, last);
  }

  /** Paid in parts, the first of which the merchant names: the remainder may come before or after it has counted. */
  async payInParts(): Promise<void> {
    const { prng, payers, time } = this.parts;
    const [shop, intent] = (await this.waiting()).at(-1) ?? [];
    if (!shop || intent === undefined) return;
    await payers.pay(intent, false, prng.pick(['short', 'short', 'edge', 'hair'] as const));
    const last = payers.payments.at(-1);
    if (last) this.nameFor(shop, intent, last);
    await time.pass((1 + prng.below(4)) * 15 * SECOND_MS);
    if (prng.chance(60)) await payers.pay(intent, prng.chance(70));
    // A transfer that has counted may go, so that the remainder grows.
    if (prng.chance(40)) await this.loseWhatCounts(intent);
  }

  /** Paid, seen, and taken off the chain again: before it has counted, as it comes to count, or after. */
  async payAndOrphan(): Promise<void> {
    const { prng, intents, payers, time, troubles } = this.parts;
    const open = await intents.where(({ status }) => !['created', 'canceled', 'none'].includes(status));
    if (open.length === 0) return;
    const [, intent] = prng.pick(open.slice(-4));
    await payers.pay(intent, prng.chance(70));
    await this.passSome(3, 14);
    troubles.orphanLast(time.now());
    await this.turns();
    await this.passSome(1, 30);
  }

  /** An exchange pays several payments by one transaction. */
  async payTogether(): Promise<void> {
    const { prng, payers, intents } = this.parts;
    const waiting = [...(await this.waiting())];
    const meant = Array.from({ length: 2 + prng.below(MOST_TOGETHER) }, () => {
      const from = prng.chance(80) && waiting.length > 0 ? waiting : intents.all;
      return from.length > 0 ? prng.pick(from)[1] : null;
    });
    await payers.payTogether(meant.filter(each => each !== null));
    if (prng.chance(50)) await this.passSome(1, 10);
    const last = payers.payments.at(-1);
    const shop = last && intents.shopOf(last.meant);
    if (shop && !payers.isExact(last)) this.nameFor(shop, last.meant, last);
  }

  /** A transfer of nearly the whole amount, and one of the crumb; the merchant names both. */
  async payWithCrumb(): Promise<void> {
    const { prng, payers, time, troubles } = this.parts;
    const paid = await this.payOne('crumbled');
    if (!paid) return;
    const [shop, intent] = paid;
    await this.passSome(1, 6);
    for (const payment of payers.payments.slice(-2)) if (payment.meant === intent) this.nameFor(shop, intent, payment);
    await this.passSome(1, 6);
    const crumb = payers.payments.at(-1);
    if (crumb && prng.chance(70)) troubles.orphanLast(time.now());
    await this.turns();
  }

  /** A payment in a block that is full of other transfers. */
  async payInCrowd(): Promise<void> {
    const { payers, outside, intents } = this.parts;
    const [, intent] = (await intents.where(({ status }) => status === 'awaiting_payment')).at(-1) ?? [];
    const state = intent === undefined ? null : await payers.state(intent);
    if (intent === undefined || state?.status !== 'awaiting_payment') return;
    payers.crowd(outside.chainOn(state.quote.network_id).network);
    await payers.pay(intent, true);
    // Few enough blocks that each is read by itself.
    await this.passSome(3, 5);
  }

  /** One payment's amount many times in one transaction. */
  async payOften(): Promise<void> {
    const isMass = isOn('masses') && this.parts.prng.chance(10);
    if (await this.payOne(isMass ? 'masses' : 'often')) await this.passSome(2, 20);
  }

  /** Paid within seconds of the quote's end, before or after it, while the merchant may cancel. */
  async payAtTheEnd(): Promise<void> {
    const { prng, payers, clients, time, scheduler } = this.parts;
    const [shop, intent] = (await this.waiting()).at(-1) ?? [];
    const state = intent === undefined ? null : await payers.state(intent);
    if (!shop || intent === undefined || state?.status !== 'awaiting_payment') return;
    const leftMs = parseIsoTime(state.quote.quote_expires_at) - scheduler.nowMs;
    const earlyMs = (prng.below(12) - 4) * SECOND_MS;
    if (leftMs > earlyMs) await time.pass(leftMs - earlyMs);
    if (prng.chance(15)) clients.cancel(shop, intent);
    await payers.pay(intent, prng.chance(80));
    await this.turns();
    await this.passSome(1, 6);
  }

  /** Payers pay on while nobody can look at their chain. */
  async blackout(shops: readonly Shop[]): Promise<void> {
    const { prng, troubles, time } = this.parts;
    const { durationMs, over } = troubles.blackout();
    const parts = 1 + prng.below(4);
    for (let part = 0; part < parts; part++) {
      await this.pay(shops);
      await time.pass(Math.round(durationMs / parts / SECOND_MS) * SECOND_MS);
    }
    over();
  }

  /** A payer of a wrong amount has told the merchant, who names the transaction. */
  async name(): Promise<void> {
    const { prng, payers, intents } = this.parts;
    const wrong = payers.payments.filter(payment => !payers.isExact(payment)).slice(-4);
    if (wrong.length === 0) return;
    const payment = prng.pick(wrong);
    const shop = intents.shopOf(payment.meant);
    if (shop) this.nameFor(shop, payment.meant, payment, prng.chance(70) ? 'merchant' : 'checkout');
  }

  /** An administrator gives a transfer to the payment that it was meant for, mostly, or opens it again. */
  async resolve(): Promise<void> {
    const { prng, payers, intents, clients } = this.parts;
    const payment = payers.payments.slice(-8).at(-1 - prng.below(8));
    if (!payment) return;
    const other = prng.pick(intents.all.slice(-4));
    const intent = prng.chance(80) ? payment.meant : other[1];
    const shop = intents.shopOf(intent);
    const { network, txHash } = payment;
    const key = { network, txHash, ordinal: Math.max(0, payers.placeOf(payment).ordinal) };
    if (shop) clients.resolve(shop, intent, key, prng.chance(25));
  }

  private async loseWhatCounts(intent: string): Promise<void> {
    const { payers, troubles, time } = this.parts;
    const state = await payers.state(intent);
    if (state.status !== 'underpaid') return;
    const [counted] = Object.values(state.ledger.transfers).filter(({ final }) => final);
    const payment = payers.payments.find(({ txHash }) => txHash === counted?.tx_hash);
    if (payment) troubles.lose(payment, time.now(), 'either');
  }

  private async payOne(habit: Habit): Promise<ShopIntent | null> {
    const [shop, intent] = (await this.waiting()).at(-1) ?? [];
    if (!shop || intent === undefined) return null;
    await this.parts.payers.pay(intent, false, habit);
    return [shop, intent];
  }

  /** Which log is meant is said where there are several, and now and then where there is one. */
  nameFor(shop: Shop, intent: string, payment: Payment, side: NamingSide = 'merchant'): void {
    const { clients, payers, prng } = this.parts;
    const { ordinal, siblings } = payers.placeOf(payment);
    const isSaid = ordinal >= 0 && (siblings > 0 || prng.chance(20));
    clients.name(shop, intent, payment, isSaid ? ordinal : null, side);
  }

  waiting(): Promise<readonly ShopIntent[]> {
    return this.parts.intents.where(({ status }) => status === 'awaiting_payment');
  }

  async passSome(mostParts: number, mostSeconds: number): Promise<void> {
    const { prng, time } = this.parts;
    const parts = 1 + prng.below(mostParts);
    for (let part = 0; part < parts; part++) await time.pass((1 + prng.below(mostSeconds)) * SECOND_MS);
  }

  turns(): Promise<void> {
    const { scheduler, prng } = this.parts;
    return scheduler.run(prng.below(TURNS_AT_ONCE));
  }
}
