import { usePage } from './page-context';

type MoneyProps = { readonly minorUnits: string; readonly currency: string; readonly decimals: number };

/** An amount of fiat with the sign of its currency. */
export function Money({ minorUnits, currency, decimals }: MoneyProps) {
  const { language } = usePage();
  return <bdi>{language.money(minorUnits, currency, decimals)}</bdi>;
}
