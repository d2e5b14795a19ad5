import { MINUTE_MS, parseIsoTime, SECOND_MS } from '../../src/kernel/clock';
import type { Deeds, DeedsParts } from './deeds';
import type { ShopIntent } from './intents';
import { orderOf } from './orders';
import type { ChainOutside } from './outside';

/** With so many providers, one at fault is outvoted by the others. */
const OUTVOTING = 3;
const CALM_STEPS = 12;
/** A minute until a provider counts as absent, and five for which it is left alone then. */
const AWAY_MS = 6 * MINUTE_MS - 45 * SECOND_MS;
/** As far behind as a network may be before it takes no more quotes. */
const MOST_BEHIND_MS = 5 * MINUTE_MS;

/** Payments on a network one of whose providers is wrong while the others are well. */
export class ProviderDeeds {
  constructor(
    private readonly parts: DeedsParts,
    private readonly deeds: Deeds,
  ) {}

  /** Paid in a block of which all providers but one fail one kind of question for minutes. */
  async payUnheard(): Promise<void> {
    const { prng, time, troubles } = this.parts;
    troubles.providers.end();
    const paid = await this.payNewest();
    if (!paid) return;
    troubles.providers.fallDeafToNext(paid);
    for (let step = 8 + prng.below(8); step > 0; step--) await time.pass(35 * SECOND_MS);
    if (prng.chance(70)) troubles.providers.end();
    await this.deeds.passSome(2, 30);
  }

  /** Paid about the quote's end, which one provider alone tells of by a clock of its own; then the others are back. */
  async payByAWrongClock(): Promise<void> {
    const { prng, payers, time, troubles, outside } = this.parts;
    troubles.providers.end();
    const [, intent] = (await this.fresh()) ?? [];
    const state = intent === undefined ? null : await payers.state(intent);
    if (intent === undefined || state?.status !== 'awaiting_payment') return;
    const endMs = parseIsoTime(state.quote.quote_expires_at);
    const chain = outside.chainOn(state.quote.network_id);
    const passUntil = async (leftMs: number): Promise<void> => {
      const waitMs = endMs - leftMs - chain.chain.now.head.timeMs;
      if (waitMs > 0) await time.pass(waitMs);
    };
    await passUntil(AWAY_MS + prng.below(40) * SECOND_MS);
    troubles.providers.leaveOneByItsClock(chain);
    // A provider without an answer for a minute is not awaited.
    for (let step = 0; step < 4; step++) await time.pass((13 + prng.below(10)) * SECOND_MS);
    chain.faults.alone = null;
    await passUntil((5 + prng.below(20)) * SECOND_MS);
    if (prng.chance(80)) await payers.pay(intent, true);
    for (let step = 0; step < 12; step++) await time.pass((2 + prng.below(8)) * SECOND_MS);
  }

  /** One provider of three is at fault for a while: the network is read as ever. */
  async outvote(): Promise<void> {
    const { prng, time, troubles, outside, service, scheduler } = this.parts;
    if (outside.setting.nodes < OUTVOTING) return;
    troubles.end();
    service.keepUp();
    const chain = prng.pick(outside.chains);
    troubles.providers.failOne(chain, prng.below(OUTVOTING));
    for (let step = 0; step < CALM_STEPS; step++) await time.pass((1 + prng.below(2)) * MINUTE_MS);
    const coveredMs = await outside.coveredMs(chain.network);
    const behindMs = coveredMs === null ? Infinity : scheduler.nowMs - coveredMs;
    if (behindMs > MOST_BEHIND_MS)
      outside.unexpected.push(`${chain.network} is ${behindMs} ms behind, though two of three providers are well`);
    troubles.providers.end();
  }

  /** The newest payment that waits for its payer, or a new one. */
  private async fresh(): Promise<ShopIntent | null> {
    const { prng, clients, time, intents, outside } = this.parts;
    const newest = (await this.deeds.waiting()).at(-1);
    const shop = newest?.[0] ?? intents.all.at(-1)?.[0];
    if (newest || !shop) return newest ?? null;
    clients.create(shop, prng.pick(outside.setting.networks), orderOf(prng));
    await time.pass((4 + prng.below(8)) * SECOND_MS);
    return (await this.deeds.waiting()).at(-1) ?? null;
  }

  private async payNewest(): Promise<ChainOutside | null> {
    const { payers, outside, prng } = this.parts;
    const [shop, intent] = (await this.fresh()) ?? [];
    const state = intent === undefined ? null : await payers.state(intent);
    if (!shop || intent === undefined || state?.status !== 'awaiting_payment') return null;
    const known = payers.payments.length;
    await payers.pay(intent, prng.chance(70));
    const paid = payers.payments[known];
    if (paid && !payers.isExact(paid)) this.deeds.nameFor(shop, intent, paid);
    return outside.chainOn(state.quote.network_id);
  }
}
