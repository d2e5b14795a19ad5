import type { ReadModel } from '../../kernel/ports/read-models';
import type { TokenId } from '../../vocabulary/tokens';

/** The facts by which a merchant filters payments, beside their status. */
export type PaymentFacetsDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly created: string;
  /** Null before a method is selected, and so is `address_key`. */
  readonly token_id: TokenId | null;
  readonly address_key: string | null;
  readonly currency: string;
  readonly amount_minor_units: string;
  /** The payment is in review, and its merchant has not decided. */
  readonly needs_decision: boolean;
};

/** An address as a text that is the same however people write it. */
export function addressKey(address: string): string {
  return address.toLowerCase();
}

export const paymentFacetsReadModel: ReadModel<PaymentFacetsDocument> = {
  name: 'payment_facets',
  version: 1,
  indexes: {
    by_token: ['merchant_id', 'mode', 'token_id', 'created', 'id'],
    by_address: ['merchant_id', 'mode', 'address_key', 'created', 'id'],
    by_amount: ['merchant_id', 'mode', 'currency', 'amount_minor_units', 'created', 'id'],
    by_decision: ['merchant_id', 'mode', 'needs_decision', 'created', 'id'],
  },
};
