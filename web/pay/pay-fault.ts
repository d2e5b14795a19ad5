import { isRefusal, type ErrorCode, type Refusal } from '../../src/vocabulary/errors';
import type { PayLinkView } from '../../src/modules/payment-links/queries/pay-link-view';
import { isolated } from '../parts/isolate';
import { faultText } from '../words/form-faults';
import type { Language } from '../words/language';
import type { PayFault } from './pay.page';

type Refused = { readonly view: PayLinkView; readonly typed: string; readonly language: Language };

const OF_AMOUNT: readonly ErrorCode[] = [
  'invalid_amount', 'excess_precision', 'amount_too_small', 'amount_too_large', 'parameter_missing',
]; // prettier-ignore

/** A refused form in the customer's words. A link's fixed amount is none that the customer could change. */
export function payFault(refusal: Refusal, { view, typed, language }: Refused): PayFault {
  const { code } = refusal;
  if (view.link.amount_minor_units === null && OF_AMOUNT.includes(code))
    return { place: 'amount', text: amountText(code, view, typed, language), typed };
  return { place: 'form', text: faultText(refusal, 'pay', language, { shop: isolated(view.shop.name) }), typed };
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
