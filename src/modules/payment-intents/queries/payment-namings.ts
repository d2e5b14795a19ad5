import type { Mode } from '../../../vocabulary/modes';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { namingsReadModel, type NamingDocument } from '../../transfers/namings.read-model';
import type { PaymentIntentDocument } from '../payment-intents.read-model';
import type { PaymentIntentResource } from './payment-intent.answer';

type ShownNamings = NonNullable<PaymentIntentResource['claims']>;

const NAMINGS_SHOWN = 10;

/**
 * The newest transactions that were named for the payment. A transaction can be named for a payment with a quote alone.
 */
export async function paymentNamings(
  readModels: Pick<ReadModels, 'list'>,
  mode: Mode,
  id: string,
  { state }: PaymentIntentDocument,
): Promise<ShownNamings> {
  if (state.quote === null) return [];
  const equals = { mode, payment_intent: id };
  const query = { index: 'by_payment_time', equals, descending: true, limit: NAMINGS_SHOWN };
  return (await readModels.list(namingsReadModel, query)).map(({ id: naming, body }) =>
    presentPaymentNaming(naming, body),
  );
}

/** A naming as its payment shows it, among the API's `claims`. */
export function presentPaymentNaming(
  id: string,
  { reference, kind, status, filed_at: created }: NamingDocument,
): ShownNamings[number] {
  return { id, reference, kind, status, created };
}
