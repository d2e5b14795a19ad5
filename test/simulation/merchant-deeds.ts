import { SECOND_MS } from '../../src/kernel/clock';
import type { PaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import type { Deeds, DeedsParts } from './deeds';
import { orderOf } from './orders';
import type { Shop } from './shops';

/** The decisions of merchants, officers and operators: reviews, holds, endpoints turned off and on, fee invoices. */
export class MerchantDeeds {
  constructor(
    private readonly parts: DeedsParts,
    private readonly deeds: Deeds,
  ) {}

  async review(): Promise<void> {
    const { prng, intents, clients } = this.parts;
    const decisions = [
      { type: 'accept', note: null },
      { type: 'resolve', resolution: 'accepted', note: 'good enough' },
      { type: 'resolve', resolution: 'rejected', note: 'sent back' },
    ] as const;
    const inReview = await intents.where(({ status }) => status === 'underpaid' || status === 'paid_late');
    if (inReview.length === 0 || prng.chance(50)) return;
    const [shop, intent] = prng.pick(inReview);
    clients.decide(shop, intent, prng.pick(decisions));
  }

  async liftHold(type: 'release_hold' | 'reject_hold'): Promise<void> {
    const [held] = await this.parts.intents.where(isHeld);
    if (held) this.parts.clients.liftHold(...held, type);
  }

  async releaseAll(): Promise<void> {
    for (const held of await this.parts.intents.where(isHeld)) this.parts.clients.liftHold(...held, 'release_hold');
  }

  /** An endpoint is off for a while; or for a moment, as messages for it wait. */
  async turnEndpoint(shops: readonly Shop[]): Promise<void> {
    const { prng, clients, time, outside } = this.parts;
    const shop = prng.pick(shops);
    const { id } = prng.pick(shop.endpoints);
    if (prng.chance(50)) return clients.turn(shop, id, prng.chance(60) ? 'enabled' : 'disabled');
    clients.create(shop, prng.pick(outside.setting.networks), orderOf(prng));
    await this.deeds.turns();
    clients.turn(shop, id, 'disabled');
    await this.deeds.turns();
    if (prng.chance(50)) await time.pass((1 + prng.below(5)) * SECOND_MS);
    clients.turn(shop, id, 'enabled');
  }

  /** Several operators ask for the same fees at once, now and then right after a correction. */
  bill(shops: readonly Shop[]): void {
    const { prng, clients } = this.parts;
    const shop = prng.pick(shops);
    const { currency } = orderOf(prng);
    if (prng.chance(30)) clients.adjustFees(shop, { amountMinorUnits: BigInt(prng.below(40)) - 20n, currency });
    for (let count = 1 + prng.below(3); count > 0; count--) clients.invoiceFees(shop, currency);
  }

  enableAll(shops: readonly Shop[]): void {
    for (const shop of shops) for (const { id } of shop.endpoints) this.parts.clients.turn(shop, id, 'enabled');
  }
}

function isHeld(state: PaymentIntent): boolean {
  return state.status !== 'none' && state.quote !== null && state.ledger.hold?.status === 'open';
}
