import type { ReadModel } from '../../kernel/ports/read-models';
import type { LinkFacts } from './payment-link.events';

export type PaymentLinkDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly created: string;
  /** False once the link was deactivated. Readers tell by their own clock whether its time is over. */
  readonly active: boolean;
  /** The link as its newest event tells it. */
  readonly link: LinkFacts;
};

export const paymentLinksReadModel: ReadModel<PaymentLinkDocument> = {
  name: 'payment_links',
  version: 1,
  indexes: {
    by_merchant: ['merchant_id', 'mode', 'created', 'id'],
    by_active: ['merchant_id', 'mode', 'active', 'created', 'id'],
  },
  restates: true,
};
