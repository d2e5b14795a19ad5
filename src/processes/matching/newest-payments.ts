import { BoundedMap } from '../../kernel/bounded-map';
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { ReadModels } from '../../kernel/ports/read-models';
import { paymentIntentsReadModel } from '../../modules/payment-intents/payment-intents.read-model';
import type { ExpectedPayment } from '../../modules/transfers/candidate-ranking';
import { asPayment, groundOf, newestIn, spanOf, type Place } from './ranking-ground';

/** Unmatched transfers within this time of one another are ranked by one look at the payments of their place. */
const STRETCH_MS = 10 * MINUTE_MS;
const KEPT_MS = 5 * SECOND_MS;
const PLACES_LIMIT = 64;

type Look = { readonly takenAtMs: number; readonly payments: Promise<readonly ExpectedPayment[]> };

/**
 * The newest payments of places to which many unmatched transfers come. One read serves all transfers that come within
 * seconds.
 */
export class NewestPayments {
  private readonly looks = new BoundedMap<string, Look>(PLACES_LIMIT);

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: MerchantClocks,
  ) {}

  /** The payments that may have been open at the moment, or some minutes beside it. */
  at(place: Place, paidAtMs: number): Promise<readonly ExpectedPayment[]> {
    const stretch = Math.floor(paidAtMs / STRETCH_MS);
    const key = [place.mode, place.token.id, place.address, stretch].join(' ');
    const known = this.looks.get(key);
    const nowMs = this.clock.now();
    if (known && nowMs - known.takenAtMs < KEPT_MS) return known.payments;
    const look = { takenAtMs: nowMs, payments: this.look(place, (stretch + 1) * STRETCH_MS) };
    this.looks.set(key, look);
    look.payments.catch(() => this.looks.delete(key));
    return look.payments;
  }

  private async look(place: Place, endMs: number): Promise<readonly ExpectedPayment[]> {
    const ground = await groundOf(this.readModels, this.clock, place, endMs - STRETCH_MS);
    const found = new Map<string, ExpectedPayment>();
    const { fromMs } = spanOf(endMs - STRETCH_MS);
    for (const query of newestIn(ground, { fromMs, toMs: spanOf(endMs).toMs })) {
      for (const document of await this.readModels.list(paymentIntentsReadModel, query))
        found.set(document.id, asPayment(document, ground));
    }
    return [...found.values()];
  }
}
