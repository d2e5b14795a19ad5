import type { AccessReader } from '../../src/kernel/access-reader';
import { accountAsked, accountOf, methodTermsOf } from '../../src/modules/merchants/read-account';
import type { Terms } from '../../src/modules/payment-intents/payment-intent.state';
import type { MethodTerms } from '../../src/vocabulary/method-terms';
import type { Mode } from '../../src/vocabulary/modes';

/** The terms of a new payment: 25.00 EUR, and nothing else, by default. */
/** An account's facts for a choice of method, as each request reads them that makes one. */
export async function methodTermsNow(
  access: Pick<AccessReader, 'read'>,
  mode: Mode,
  merchantId: string,
): Promise<MethodTerms> {
  const documents = await access.read(accountAsked(mode, merchantId, true));
  const account = accountOf(mode, documents);
  if (account === null) throw new Error(`no account ${merchantId}`);
  return methodTermsOf(mode, account, documents);
}

export function termsOf(changes: Partial<Terms> = {}): Terms {
  return {
    amount_minor_units: '2500',
    currency: 'EUR',
    currency_decimals: 2,
    metadata: {},
    description: null,
    success_url: null,
    restarted_from: null,
    payment_link: null,
    invoice: null,
    ...changes,
  };
}
