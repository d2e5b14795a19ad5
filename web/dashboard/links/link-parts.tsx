import type { PaymentLinkResource } from '../../../src/modules/payment-links/api/payment-links.contract';
import type { LinkStanding } from '../../../src/modules/payment-links/payment-link.decider';
import { Money } from '../../parts/money';
import { Badge, type Tone } from '../../parts/status-badge';

export type StandingLink = PaymentLinkResource & { readonly standing: LinkStanding };

const STANDINGS: Readonly<Record<LinkStanding, readonly [tone: Tone, text: string]>> = {
  open: ['ok', 'Open'],
  inactive: ['idle', 'Deactivated'],
  ended: ['idle', 'Ended'],
  spent: ['idle', 'Used up'],
};

/** Whether a link opens payments, or why it does not. */
export function StandingBadge({ standing }: Pick<StandingLink, 'standing'>) {
  const [tone, text] = STANDINGS[standing];
  return <Badge {...{ tone, text }} />;
}

/** The price of a fixed link, or the bounds of an open one. */
export function LinkAmount({ link }: { readonly link: PaymentLinkResource }) {
  const { currency, currency_decimals: decimals, amount, min_amount: least, max_amount: most } = link;
  const money = { currency, decimals };
  if (amount !== null) return <Money minorUnits={amount} {...money} />;
  return (
    <>
      <Money minorUnits={least ?? '0'} {...money} /> to <Money minorUnits={most ?? '0'} {...money} />
    </>
  );
}

/** The uses so far, of those that there can be. */
export function usesText({ use_count: uses, max_uses: most }: PaymentLinkResource): string {
  return most === null ? String(uses) : `${uses} of ${most}`;
}
