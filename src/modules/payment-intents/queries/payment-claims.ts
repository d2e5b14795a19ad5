import type { Mode } from '../../../vocabulary/modes';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { namingsReadModel, type NamingDocument } from '../../transfers/namings.read-model';
import type { PaymentIntentDocument } from '../payment-intents.read-model';
import type { PaymentIntentResource } from './payment-intent.answer';

type Claims = NonNullable<PaymentIntentResource['claims']>;

const CLAIMS_SHOWN = 10;

/**
 * The newest transactions that were named for the payment. A transaction can be named for a payment with a quote alone.
 */
export async function paymentClaims(
  readModels: Pick<ReadModels, 'list'>,
  mode: Mode,
  id: string,
  { state }: PaymentIntentDocument,
): Promise<Claims> {
  if (state.quote === null) return [];
  const equals = { mode, payment_intent: id };
  const query = { index: 'by_payment_time', equals, descending: true, limit: CLAIMS_SHOWN };
  return (await readModels.list(namingsReadModel, query)).map(({ id: claim, body }) => presentClaim(claim, body));
}

/** A naming as the claim that its payment shows. */
export function presentClaim(
  id: string,
  { reference, kind, status, filed_at: created }: NamingDocument,
): Claims[number] {
  return { id, reference, kind, status, created };
}
