import { TOKENS } from '../src/vocabulary/tokens';
import { streamId, type Projection } from '../src/kernel/projection';
import { bookPlaceOf, reconciliationId } from '../src/modules/books/balance.decider';
import type { BalanceEvent } from '../src/modules/books/balance.events';
import { reconciliationsReadModel, type ReconciliationDocument } from '../src/modules/books/reconciliations.read-model';

export const reconciliationsProjection: Projection<ReconciliationDocument, BalanceEvent> = {
  ...reconciliationsReadModel,
  categories: ['balance'],
  mirrors: true,
  key: event => reconciliationId(bookPlaceOf(streamId(event))),
  on: {
    BalanceObserved: (_, { data, metadata }): ReconciliationDocument => ({
      merchant_id: metadata.merchant_id ?? '',
      mode: metadata.mode,
      network_id: TOKENS[data.token_id].network,
      wallet: data.wallet_id,
      token_id: data.token_id,
      day: data.day,
      status: 'pending',
      opening_base_units: null,
      credited_base_units: null,
      unmatched_base_units: null,
      unrelated_base_units: null,
      dust_base_units: null,
      sent_base_units: null,
      closing_base_units: data.balance_base_units,
      difference_base_units: null,
      transfers: null,
      differences: [],
      differences_in_all: 0,
    }),
    DayReconciled: (_, { data: { wallet_id: wallet, ...sums }, metadata }): ReconciliationDocument => ({
      merchant_id: metadata.merchant_id ?? '',
      mode: metadata.mode,
      network_id: TOKENS[sums.token_id].network,
      wallet,
      status: sums.differences_in_all > 0 ? 'different' : 'balanced',
      ...sums,
    }),
  },
};
