import { NETWORKS } from '../../../src/vocabulary/networks';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { isolated } from '../../parts/isolate';
import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';

/** The facts of one request for a page of checkout. */
export type CheckoutProps = {
  readonly view: CheckoutView;
  /** A fresh id for each form of the page. */
  readonly formId: string;
  /** The path of the payment's page. */
  readonly path: string;
  /** A refused form, told at its place; null where none was refused. */
  readonly fault: FormFault | null;
};

export type FormFault = {
  readonly form: 'method' | 'claim' | 'restart';
  readonly text: string;
  /** The text that was typed. */
  readonly value: string;
};

/** The arguments that sentences of checkout name. */
export function sentenceArguments({ payment, shop }: CheckoutView) {
  const { payment_method: method, remaining, transfers } = payment;
  const asset = method?.asset_symbol ?? '';
  const amount = (decimal: string | null | undefined) => isolated(`${decimal ?? '0'} ${asset}`);
  const latest = transfers.findLast(({ status }) => status === 'seen' || status === 'confirming');
  return {
    shop: isolated(shop.name),
    received: amount(payment.received_token_amount),
    surplus: amount(payment.surplus_token_amount),
    remaining: amount(remaining?.token_amount),
    count: Math.min(latest?.confirmations ?? 0, latest?.required_confirmations ?? 0),
    required: latest?.required_confirmations ?? 0,
  };
}

/** The method's token and network in words. */
export function methodNames({ payment }: CheckoutView): { readonly asset: string; readonly network: string } {
  const method = payment.payment_method;
  if (!method) return { asset: '', network: '' };
  return { asset: TOKENS[method.token_id].asset, network: NETWORKS[method.network_id].name };
}
