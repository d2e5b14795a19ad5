import {
  checkLink,
  CreatePaymentLinkDto,
  linkTerms,
} from '../../../src/modules/payment-links/api/payment-links.contract';
import { LINK_KINDS } from '../../../src/modules/payment-links/payment-link.events';
import { validateDto } from '../../../src/platform/http/dto-validation';
import type { FormBody } from '../../../src/platform/http/form-body';
import { zonedDay } from '../../words/zoned-days';
import { typedAmount, typedCurrency, typedMetadata, typedText, typedWhole } from '../typed-fields';

export type LinkKind = (typeof LINK_KINDS)[number];

/** The kind of a form or of an address; a text that is none is the first one. */
export function linkKind(text: unknown): LinkKind {
  return LINK_KINDS.find(kind => kind === text) ?? LINK_KINDS[0];
}

/** The link that somebody has typed, by the rules of the API. The link's last day is one of the time zone. */
export function typedLink(form: FormBody, timeZone: string): ReturnType<typeof linkTerms> {
  const kind = linkKind(form.kind);
  const currency = typedCurrency(form.currency);
  const amount = (param: string) => typedAmount(form[param], currency, param).toString();
  const amounts =
    kind === 'fixed'
      ? { amount: amount('amount') }
      : { min_amount: amount('min_amount'), max_amount: amount('max_amount') };
  const body = validateDto(CreatePaymentLinkDto, {
    ...amounts,
    kind,
    currency: currency.code,
    description: typedText(form.description),
    metadata: typedMetadata(form.metadata),
    success_url: typedText(form.success_url),
    max_uses: typedWhole(form.max_uses),
    expires_at: zonedDay(form.expires_at, 'last', timeZone, 'expires_at') ?? null,
  });
  checkLink(body);
  return linkTerms(body);
}
