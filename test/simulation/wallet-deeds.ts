import { SECOND_MS } from '../../src/kernel/clock';
import type { Deeds, DeedsParts } from './deeds';
import { isOn } from './knobs';
import { orderOf } from './orders';
import { addressesOf } from './setting';
import type { Shop } from './shops';

/** Wallets that merchants add while all else goes on. */
export class WalletDeeds {
  constructor(
    private readonly parts: DeedsParts,
    private readonly deeds: Deeds,
  ) {}

  /** A merchant adds a wallet, which the other one may have too, and quotes on it at once; the payer is as quick. */
  async payToNewWallet(shops: readonly Shop[]): Promise<void> {
    const { prng, clients, outside, payers, time, troubles } = this.parts;
    const isLate = isOn('documents') && prng.chance(50);
    if (isLate) troubles.slowDocuments('wallet');
    const shop = prng.pick(shops);
    const network = prng.pick(outside.setting.networks);
    const address = prng.pick(addressesOf(network));
    clients.addWallet(shop, network, address, orderOf(prng));
    await this.deeds.turns();
    if (prng.chance(40)) await this.deeds.turns();
    else await time.pass((1 + prng.below(3)) * SECOND_MS);
    const [, intent] = (await this.deeds.waiting()).at(-1) ?? [];
    if (intent !== undefined) await payers.pay(intent, prng.chance(70));
    await this.deeds.passSome(2, 5);
    if (!isLate) return;
    await time.pass((30 + prng.below(60)) * SECOND_MS);
    troubles.hurryDocuments();
  }
}
