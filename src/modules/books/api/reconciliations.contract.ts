import { ASSETS, TOKEN_IDS } from '../../../vocabulary/tokens';
import { NETWORK_IDS } from '../../../vocabulary/networks';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  arrayOf,
  constant,
  decimal,
  id,
  listOf,
  MODE,
  nullable,
  oneOfTexts,
  record,
  resource,
  signedDecimal,
  text,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { DIFFERENCE_KINDS } from '../balance.events';
import { DAY_STATUSES } from '../reconciliations.read-model';

const day = (description: string) => ({ ...text(description, '2026-11-21'), pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const signed = (description: string) => signedDecimal(description, '-1.500000');
const sum = (description: string) => nullable(decimal(`${description}. Null while the day is pending`, '26.153040'));

const DIFFERENCE = record({
  kind: oneOfTexts(
    DIFFERENCE_KINDS,
    'unknown_transfer: the chain has it, the service does not. missing_transfer: the service counts it, the chain does not have it. other_value: both have it, with different values. balance: the balance moved by more or less than all transfers.',
  ),
  token_amount: signed('Amount that the chain has beyond the service'),
  tx_hash: nullable(text('Null for a balance', `0x${'5c'.repeat(32)}`)),
  log_index: nullable(whole('Which transfer of its transaction', 0)),
});

const RECONCILIATION = resource('reconciliation', 'One day of a wallet, as the chain and the service have it', {
  id: id('rec'),
  object: constant('reconciliation'),
  mode: MODE,
  wallet: id('wal'),
  network_id: oneOfTexts(NETWORK_IDS),
  token_id: oneOfTexts(TOKEN_IDS),
  asset_symbol: oneOfTexts(ASSETS),
  day: day('In UTC, by the times of the blocks'),
  status: oneOfTexts(DAY_STATUSES, 'pending: the day has ended, and its blocks are not all read yet'),
  opening: nullable(
    decimal('Balance at the last final block of the day before; null where none was observed', '100.000000'),
  ),
  credited: sum('Came for payments of yours'),
  unmatched: sum('Came for no payment: it was in the queue, or set aside, when the day was closed'),
  unrelated: sum('Came from yourself, for another account at the same address, or before the wallet was watched'),
  dust: sum('Came in transfers below 0.01 token that nobody asked for'),
  sent: sum('Left the wallet'),
  closing: nullable(
    decimal('Balance at the last final block of the day; null where no provider could tell it', '126.153040'),
  ),
  difference: nullable(
    signed(
      'closing = opening + credited + unmatched + unrelated + dust − sent + difference. Where a balance is null, the difference of the transfers alone',
    ),
  ),
  transfers: nullable(whole('Transfers of the wallet on the chain', 3)),
  differences: { ...arrayOf(DIFFERENCE), description: 'Each difference by its name, at most 100' },
});

export type ReconciliationResource = Answer<typeof RECONCILIATION>;

export const RECONCILIATION_OPERATIONS = {
  list: {
    id: 'listReconciliations',
    summary: 'Compare each wallet’s balance on the chain with what the service knows, by token and day',
    description:
      'Balances and transfers are read from the chain apart from the matching of payments, once a day of UTC is final. Each transfer is then looked up in the service. A day is closed once: a transfer that finds its payment later stays in its column.',
    answer: listOf(RECONCILIATION),
    paged: true,
    query: {
      wallet: id('wal', 'The days of this wallet alone'),
      from: day('That day or a later one'),
      to: day('That day or an earlier one'),
    },
    refuses: ['invalid_timestamp', 'invalid_range'],
  },
} as const satisfies OperationTable;
