import type { Mode } from '../../../vocabulary/modes';
import type { Shop } from '../../checkout/queries/checkout-view';
import type { CustomerTerms } from '../../../vocabulary/customer-terms';
import type { LinkStanding } from '../payment-link.decider';
import type { LinkFacts } from '../payment-link.events';

/** A link as whoever has its address sees it: neither the metadata, nor how often it has been used. */
export type PayLinkView = {
  readonly id: string;
  readonly mode: Mode;
  readonly standing: LinkStanding;
  readonly shop: Shop;
  readonly link: Pick<
    LinkFacts,
    | 'currency'
    | 'currency_decimals'
    | 'amount_minor_units'
    | 'min_minor_units'
    | 'max_minor_units'
    | 'description'
    | 'expires_at'
  >;
  /** The address of the link's page. */
  readonly url: string;
  /** The time by the clock of the link's merchant. */
  readonly nowMs: number;
};

/** The facts for a form of the link's page. */
export type PayLinkTerms = CustomerTerms & {
  readonly link: Pick<LinkFacts, 'currency' | 'currency_decimals'>;
};
