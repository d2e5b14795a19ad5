import { ERROR_CATALOGUE } from '../../src/vocabulary/error-catalogue';
import { isRefusal, type ErrorCode } from '../../src/vocabulary/errors';
import type { PayLinkView } from '../../src/modules/payment-links/queries/pay-link-view';
import { isolated } from '../parts/isolate';
import type { Language, MessageKey } from '../words/language';
import type { PayFault } from './pay.page';

/** A refused form for its page, with the status and the code of the answer. */
export type RefusedPayForm = PayFault & { readonly status: number; readonly code: ErrorCode };

type Refused = { readonly view: PayLinkView; readonly typed: string; readonly language: Language };

const OF_AMOUNT: readonly ErrorCode[] = [
  'invalid_amount', 'excess_precision', 'amount_too_small', 'amount_too_large', 'parameter_missing',
]; // prettier-ignore
const OF_FORM: Partial<Record<ErrorCode, MessageKey>> = {
  currency_not_quotable: 'created.none',
  currency_not_supported: 'created.none',
  payments_paused: 'created.none',
  provider_unavailable: 'created.none',
  invalid_state_transition: 'pay.fault.closed',
  rate_limit: 'fault.rate_limit',
  parameter_invalid: 'fault.form',
  parameter_missing: 'fault.form',
  idempotency_key_reuse: 'fault.form',
  idempotency_key_in_use: 'fault.form',
};

/** An error that is no refusal is thrown again. */
export function payFault(error: unknown, { view, typed, language }: Refused): RefusedPayForm {
  if (!isRefusal(error)) throw error;
  const { code } = error;
  const { status } = ERROR_CATALOGUE[code];
  if (view.link.amount_minor_units === null && OF_AMOUNT.includes(code))
    return { status, code, place: 'amount', text: amountText(code, view, typed, language), typed };
  const text = language.say(OF_FORM[code] ?? unpayable(code) ?? 'fault.other', { shop: isolated(view.shop.name) });
  return { status, code, place: 'form', text, typed };
}

/** A link's fixed amount is none that the customer could change. */
function unpayable(code: ErrorCode): MessageKey | null {
  if (code === 'amount_too_small') return 'pay.fault.too_small';
  return code === 'amount_too_large' ? 'pay.fault.too_large' : null;
}

function amountText(code: ErrorCode, { link }: PayLinkView, typed: string, language: Language): string {
  const { currency, currency_decimals: decimals, min_minor_units: least, max_minor_units: most } = link;
  const money = (minorUnits: string) => isolated(language.money(minorUnits, currency, decimals));
  switch (code) {
    case 'excess_precision':
      return language.say(decimals === 0 ? 'pay.fault.whole' : 'pay.fault.precision', { currency, decimals });
    case 'amount_too_small':
      // Within the link's bounds, the amount is too small for every token.
      if (least === null || !isBelow(typed, least, link, language)) return language.say('pay.fault.too_small');
      return language.say('pay.fault.below', { least: money(least) });
    case 'amount_too_large':
      if (most === null || isBelow(typed, most, link, language)) return language.say('pay.fault.too_large');
      return language.say('pay.fault.above', { most: money(most) });
    default:
      return language.say('pay.fault.unreadable', {
        example: isolated(language.plainAmount(least ?? '1250', decimals)),
      });
  }
}

function isBelow(
  typed: string,
  bound: string,
  { currency, currency_decimals }: PayLinkView['link'],
  language: Language,
) {
  try {
    return language.typedMinorUnits(typed, currency, currency_decimals) < BigInt(bound);
  } catch (error) {
    // More digits than any amount has.
    if (isRefusal(error)) return false;
    throw error;
  }
}
