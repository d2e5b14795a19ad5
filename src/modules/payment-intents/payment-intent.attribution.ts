import { TOKENS } from '../../vocabulary/tokens';
import type { Attribution, Quote, Remainder, SightedTransfer } from './payment-intent.events';

type Priced = Pick<Quote, 'token_id' | 'due_base_units'>;
type Known = Pick<SightedTransfer, 'from' | 'value_base_units'> & { readonly attribution: Attribution };

/** The attribution of a transfer that is no inferred one: by its amount, or as it was while the money is the same. */
export function attributionOf(
  quote: Priced,
  remainder: Remainder | null,
  known: Known | undefined,
  transfer: Pick<SightedTransfer, 'from' | 'value_base_units'>,
): 'exact' | 'claimed' {
  const isSameMoney = known?.value_base_units === transfer.value_base_units && known.from === transfer.from;
  if (isSameMoney && known.attribution !== 'inferred') return known.attribution;
  const asked = [quote.due_base_units, ...(remainder === null ? [] : [remainder.due_base_units])];
  return asked.some(amount => isMet(quote, amount, transfer.value_base_units)) ? 'exact' : 'claimed';
}

function isMet({ token_id }: Priced, asked: string, value: string): boolean {
  const off = BigInt(asked) - BigInt(value);
  const { attributionToleranceBaseUnits: tolerance } = TOKENS[token_id];
  return off <= tolerance && -off <= tolerance;
}
