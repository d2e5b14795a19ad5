type TokenAmountProps = {
  /** The exact decimal to pay. */
  readonly amount: string;
  /** The price before it was made unique; null where no digits are to be told apart. */
  readonly price: string | null;
  readonly asset: string;
};

/**
 * An exact amount of a token, never localized: people type it into a wallet. The digits from the first one in which it
 * differs from the price are set apart.
 */
export function TokenAmount({ amount, price, asset }: TokenAmountProps) {
  const at = price === null ? amount.length : firstDifference(amount, price);
  return (
    <bdi dir="ltr" class="token-amount">
      <span class="digits">
        {amount.slice(0, at)}
        {at < amount.length && <b class="own-digits">{amount.slice(at)}</b>}
      </span>{' '}
      <span class="asset">{asset}</span>
    </bdi>
  );
}

/** The place of the first digit in which two decimals differ; the first one's length where none differs. */
export function firstDifference(amount: string, price: string): number {
  if (amount.split('.')[0]?.length !== price.split('.')[0]?.length) return 0;
  const at = [...amount].findIndex((digit, index) => digit !== price[index]);
  return at < 0 ? amount.length : at;
}
