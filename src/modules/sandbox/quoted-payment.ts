import type { MerchantContext } from '../../kernel/command-context';
import type { ReadModels } from '../../kernel/ports/read-models';
import { refuse } from '../../vocabulary/errors';
import { isId } from '../../vocabulary/ids';
import type { Quote } from '../payment-intents/payment-intent.events';
import type { QuotedPaymentIntent } from '../payment-intents/payment-intent.state';
import { paymentIntentsReadModel, type PaymentIntentDocument } from '../payment-intents/payment-intents.read-model';

/** A payment whose token is chosen. */
export type QuotedPayment = PaymentIntentDocument & { readonly state: QuotedPaymentIntent; readonly quote: Quote };

/** The merchant's payment of this id. Throws Refusal payment_not_found or payment_not_quoted. */
export async function quotedPayment(
  readModels: ReadModels,
  id: string,
  { universe, merchantId }: MerchantContext,
): Promise<QuotedPayment> {
  const found = isId('pi', id) ? await readModels.get(paymentIntentsReadModel, universe, id) : null;
  if (found?.body.merchant_id !== merchantId) throw refuse('payment_not_found', { param: 'payment_intent' });
  const { state } = found.body;
  if (state.quote === null) throw refuse('payment_not_quoted', { param: 'payment_intent' });
  return { ...found.body, state, quote: state.quote };
}
