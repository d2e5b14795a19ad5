import { invariant, unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { derivedId } from '../../vocabulary/ids';
import { isTokenId } from '../../vocabulary/tokens';
import type { BalanceEvent, BalanceObserved, BookPlace, DayReconciled } from './balance.events';
import { isDay } from './utc-day';

type Balance = { readonly observed: BalanceObserved['data'] | null; readonly isReconciled: boolean };

type BalanceCommand =
  | { readonly type: 'observe'; readonly balance: BalanceObserved['data'] }
  | { readonly type: 'reconcile'; readonly day: DayReconciled['data'] };

export function balanceStreamId({ wallet_id, token_id, day }: BookPlace): string {
  return `${wallet_id}:${token_id}:${day}`;
}

/** The place from which `balanceStreamId` made the id. */
export function bookPlaceOf(streamId: string): BookPlace {
  const [wallet_id = '', token_id = '', day = ''] = streamId.split(':');
  invariant(isTokenId(token_id) && isDay(day), `not a balance's stream: ${streamId}`);
  return { wallet_id, token_id, day };
}

/** `rec_…`, as the API shows the day. */
export function reconciliationId({ wallet_id, token_id, day }: BookPlace): string {
  return derivedId('rec', [wallet_id, token_id, day]);
}

function decide(command: BalanceCommand, { observed, isReconciled }: Balance): readonly BalanceEvent[] {
  if (isReconciled) return [];
  switch (command.type) {
    case 'observe':
      return observed === null ? [{ type: 'BalanceObserved', data: command.balance }] : [];
    case 'reconcile':
      return [{ type: 'DayReconciled', data: command.day }];
    default:
      return unreachable(command);
  }
}

function evolve(state: Balance, event: BalanceEvent): Balance {
  switch (event.type) {
    case 'BalanceObserved':
      return { ...state, observed: event.data };
    case 'DayReconciled':
      return { ...state, isReconciled: true };
    default:
      return unreachable(event);
  }
}

/** The books of one wallet and token on one day: its balance is observed once, and the day is reconciled once. */
export const balances: Aggregate<Balance, BalanceCommand, BalanceEvent> = {
  category: 'balance',
  notFound: 'resource_missing',
  initial: { observed: null, isReconciled: false },
  decide,
  evolve,
};
