import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { checkOtpauthLabel, totpOfferOf, type TotpOffer } from '../totp-offer';
import { TotpOffers, type OfferHolder } from '../totp-offers';

/** The offer that stands in the session; null for none. Throws Refusal invalid_otpauth_label. */
export class GetTotpOffer extends Query<TotpOffer | null> {
  constructor(
    readonly holder: OfferHolder,
    readonly label: string,
  ) {
    super();
  }
}

@QueryHandler(GetTotpOffer)
export class GetTotpOfferHandler implements IQueryHandler<GetTotpOffer> {
  constructor(private readonly offers: TotpOffers) {}

  async execute({ holder, label }: GetTotpOffer): Promise<TotpOffer | null> {
    checkOtpauthLabel(label);
    const secret = await this.offers.standing(holder);
    return secret === null ? null : totpOfferOf(secret, label);
  }
}
