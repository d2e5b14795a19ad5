import type { PaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import type { Clients } from './clients';
import type { Payers } from './payers';
import type { Prng } from './prng';
import type { Shop } from './shops';

export type ShopIntent = readonly [shop: Shop, intent: string];

/** The payment intents that clients know of, oldest first. */
export class Intents {
  constructor(
    private readonly clients: Clients,
    private readonly payers: Payers,
    private readonly prng: Prng,
  ) {}

  of(shop: Shop): readonly string[] {
    return this.clients.acknowledged
      .filter(({ event, shop: own }) => event === 'PaymentIntentCreated' && own === shop)
      .map(({ paymentIntent }) => paymentIntent);
  }

  get all(): readonly ShopIntent[] {
    return this.clients.acknowledged
      .filter(({ event }) => event === 'PaymentIntentCreated')
      .map(({ paymentIntent, shop }) => [shop, paymentIntent] as const);
  }

  /** Mostly one of a shop's newest: most changes of a payment happen soon. */
  any(shops: readonly Shop[]): ShopIntent | null {
    const shop = this.prng.pick(shops);
    const intents = this.of(shop);
    const recent = this.prng.chance(75) ? intents.slice(-3) : intents;
    return recent.length > 0 ? [shop, this.prng.pick(recent)] : null;
  }

  async where(holds: (state: PaymentIntent) => boolean): Promise<readonly ShopIntent[]> {
    const found: ShopIntent[] = [];
    for (const known of this.all) if (holds(await this.payers.state(known[1]))) found.push(known);
    return found;
  }

  shopOf(intent: string): Shop | undefined {
    return this.all.find(([, known]) => known === intent)?.[0];
  }
}
