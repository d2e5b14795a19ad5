import { moneyText } from '../../../vocabulary/currencies';
import { refuse } from '../../../vocabulary/errors';
import { isId } from '../../../vocabulary/ids';
import type { Mode } from '../../../vocabulary/modes';
import { isReviewRejected } from '../../payment-intents/payment-intent.outcome';
import { paymentIntentsReadModel, type PaymentIntentDocument } from '../../payment-intents/payment-intents.read-model';
import type { ActionReads, Owned } from './admin-action';

/** The modes in which an object may lie; an id alone does not tell which. */
export const ALL_MODES = ['live', 'test'] as const satisfies readonly Mode[];

export type FoundPayment = Owned & { readonly id: string; readonly payment: PaymentIntentDocument };

/** Throws Refusal payment_not_found. */
export async function findPayment({ find }: Pick<ActionReads, 'find'>, id: string): Promise<FoundPayment> {
  const found = isId('pi', id) ? await find(paymentIntentsReadModel, ALL_MODES, id) : null;
  if (!found) throw refuse('payment_not_found', { param: 'payment_intent' });
  const { merchant_id: merchantId, mode } = found.body;
  return { id, mode: mode as Mode, merchantId, payment: found.body };
}

/** The payment as the sentences of an action name it. */
export function paymentText({ id, mode, merchantId, payment }: FoundPayment): string {
  const { amount_minor_units: amount, currency, status, state } = payment;
  const standing = `${status.replaceAll('_', ' ')}${isReviewRejected(state) ? ', rejected in review' : ''}`;
  return `Payment ${id} of ${merchantId}, ${mode} mode: ${moneyText(amount, currency)}, ${standing}.`;
}
