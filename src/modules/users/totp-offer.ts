import { refuse } from '../../vocabulary/errors';

const ISSUER = 'Quittance';

/** A secret for an authenticator, which counts once a code of it was shown. */
export type TotpOffer = {
  readonly secret: string;
  /** `otpauth://totp/…` */
  readonly uri: string;
};

/** Throws Refusal invalid_otpauth_label. */
export function checkOtpauthLabel(label: string): void {
  if (label.trim() === '' || label.includes(':')) throw refuse('invalid_otpauth_label', { param: 'label' });
}

export function totpOfferOf(secret: string, label: string): TotpOffer {
  const query = new URLSearchParams({ secret, issuer: ISSUER });
  return { secret, uri: `otpauth://totp/${ISSUER}:${encodeURIComponent(label)}?${query.toString()}` };
}
