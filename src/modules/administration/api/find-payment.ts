import { moneyText } from '../../../vocabulary/currencies';
import { refuse } from '../../../vocabulary/errors';
import { isId } from '../../../vocabulary/ids';
import type { Mode } from '../../../vocabulary/modes';
import { paymentIntentsReadModel, type PaymentIntentDocument } from '../../payment-intents/payment-intents.read-model';
import type { ActionReads, Owned } from './admin-action';

/** The modes in which an object may lie; an id alone does not tell which. */
export const ALL_MODES = ['live', 'test'] as const satisfies readonly Mode[];

export type FoundPayment = Owned & { readonly id: string; readonly payment: PaymentIntentDocument };

/** Throws Refusal payment_not_found. */
export async function findPayment({ readModels }: ActionReads, id: string): Promise<FoundPayment> {
  for (const mode of isId('pi', id) ? ALL_MODES : []) {
    const found = await readModels.get(paymentIntentsReadModel, mode, id);
    if (found) return { id, mode, merchantId: found.body.merchant_id, payment: found.body };
  }
  throw refuse('payment_not_found', { param: 'payment_intent' });
}

/** The payment as the sentences of an action name it. */
export function paymentText({ id, mode, merchantId, payment }: FoundPayment): string {
  const { amount_minor_units: amount, currency, status } = payment;
  return `Payment ${id} of ${merchantId}, ${mode} mode: ${moneyText(amount, currency)}, ${status}.`;
}
