import type { AccessReader } from '../../src/kernel/access-reader';
import { accountAsked, accountOf, methodTermsOf, type Account } from '../../src/modules/merchants/read-account';
import type { Terms } from '../../src/modules/payment-intents/payment-intent.state';
import type { MethodTerms } from '../../src/vocabulary/method-terms';
import type { Mode } from '../../src/vocabulary/modes';

/** An account's facts for a choice of method, as each request reads them that makes one. */
export async function methodTermsNow(
  access: Pick<AccessReader, 'read'>,
  mode: Mode,
  merchantId: string,
): Promise<MethodTerms> {
  const documents = await access.read(accountAsked(mode, merchantId, true));
  const account = accountOf(documents);
  if (account === null) throw new Error(`no account ${merchantId}`);
  return methodTermsOf(mode, account, documents);
}

/** The terms of a new payment: 25.00 EUR, and nothing else, by default. */
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

/** An account as of now, with its settings of the mode, as each request reads it. */
export async function accountNow(access: Pick<AccessReader, 'read'>, mode: Mode, merchantId: string): Promise<Account> {
  const account = accountOf(await access.read(accountAsked(mode, merchantId, false)));
  if (account === null) throw new Error(`no account ${merchantId}`);
  return account;
}
