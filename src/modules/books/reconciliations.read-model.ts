import type { ReadModel } from '../../kernel/ports/read-models';
import type { NetworkId } from '../../vocabulary/networks';
import type { TokenId } from '../../vocabulary/tokens';
import type { DayReconciled, NamedDifference } from './balance.events';

type Sums = Omit<DayReconciled['data'], 'wallet_id' | 'token_id' | 'day'>;
export const DAY_STATUSES = ['pending', 'balanced', 'different'] as const;

type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

/** A wallet's day in one token. The sums are null while the day is pending; its balance may stand already. */
export type ReconciliationDocument = Nullable<Omit<Sums, 'differences' | 'differences_in_all'>> & {
  readonly merchant_id: string;
  readonly mode: string;
  readonly network_id: NetworkId;
  readonly wallet: string;
  readonly token_id: TokenId;
  readonly day: string;
  readonly status: (typeof DAY_STATUSES)[number];
  readonly differences: readonly NamedDifference[];
  readonly differences_in_all: number;
};

export const reconciliationsReadModel: ReadModel<ReconciliationDocument> = {
  name: 'reconciliations',
  version: 1,
  indexes: {
    by_merchant: ['merchant_id', 'mode', 'day', 'id'],
    by_wallet: ['merchant_id', 'mode', 'wallet', 'day', 'id'],
    /** The days at which the books of a network go on. */
    by_network: ['mode', 'network_id', 'status', 'day', 'id'],
    by_day: ['mode', 'day', 'id'],
  },
};
