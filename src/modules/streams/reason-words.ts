import type { DomainEvent } from '../../kernel/event';
import { formatUnits } from '../../vocabulary/money';
import { TOKENS, type TokenId } from '../../vocabulary/tokens';

/** The units of a stream's amounts; null where no event of the stream has told them. */
export type Units = {
  readonly tokenId: TokenId | null;
  readonly currency: { readonly code: string; readonly decimals: number } | null;
};

/** A sentence or two for each type of event, from the evidence in its data. */
export type Reasons<E extends DomainEvent> = {
  readonly [T in E['type']]: (data: Extract<E, { readonly type: T }>['data'], units: Units) => string;
};

const MIN_MONEY_DIGITS = 2;

/** Such as `12.5 USDT`. */
export function tokens(baseUnits: string, { tokenId }: Units): string {
  if (tokenId === null) return `${baseUnits} base units`;
  const { decimals, asset } = TOKENS[tokenId];
  return `${formatUnits(BigInt(baseUnits), decimals)} ${asset}`;
}

/** Such as `12.50 EUR`. */
export function money(minorUnits: string, { currency }: Units): string {
  if (currency === null) return `${minorUnits} minor units`;
  const { code, decimals } = currency;
  return `${formatUnits(BigInt(minorUnits), decimals, Math.min(decimals, MIN_MONEY_DIGITS))} ${code}`;
}

export function quoted(text: string): string {
  return `“${text}”`;
}

/** A code as people say it: `no_reservation` as `no reservation`. */
export function spoken(code: string): string {
  return code.replaceAll('_', ' ');
}

/** An empty text where nothing was noted. */
export function noted(note: string | null): string {
  return note === null || note === '' ? '' : ` The note says ${quoted(note)}.`;
}
