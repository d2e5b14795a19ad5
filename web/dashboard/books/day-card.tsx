import type { ReconciliationResource } from '../../../src/modules/books/api/reconciliations.contract';
import type { WalletResource } from '../../../src/modules/wallets/api/wallets.contract';
import { startOfDay } from '../../../src/kernel/clock';
import { Hash } from '../../parts/address';
import { Card } from '../../parts/card';
import { DataTable, type Row } from '../../parts/data-table';
import { Definitions } from '../../parts/definitions';
import { usePaths } from '../../parts/signed-context';
import { Badge, type Tone } from '../../parts/status-badge';
import { timeText } from '../../parts/time-of';
import { addressEnds, pairName } from '../../words/chain-names';

type Day = ReconciliationResource;

const STATES: Readonly<Record<Day['status'], readonly [tone: Tone, text: string]>> = {
  balanced: ['ok', 'Balanced'],
  different: ['bad', 'Different'],
  pending: ['info', 'Pending'],
};
const KINDS: Readonly<Record<Day['differences'][number]['kind'], string>> = {
  unknown_transfer: 'On the chain, and unknown here',
  missing_transfer: 'Counted here, and missing on the chain',
  other_value: 'Of another value on the chain',
  balance: 'The balance moved by more or less than all transfers',
};
const DIFFERENCES = [
  { heading: 'Amount', isNumber: true },
  { heading: 'Difference' },
  { heading: 'Transaction, and place in it' },
];

type DayCardProps = {
  readonly day: Day;
  /** Null for a wallet that is not known here any more. */
  readonly wallet: WalletResource | null;
};

/** A wallet's day in one token, and each difference by its name. */
export function DayCard({ day, wallet }: DayCardProps) {
  const paths = usePaths();
  const [tone, text] = STATES[day.status];
  const unit = (amount: string | null) => (amount === null ? 'Not observed' : `${amount} ${day.asset_symbol}`);
  return (
    <Card class="day">
      <div class="day-head">
        <h2>
          {timeText(startOfDay(day.day), 'UTC', 'day')},{' '}
          {pairName({ asset: day.asset_symbol, network: day.network_id })}
        </h2>
        <Badge {...{ tone, text }} />
      </div>
      <p>
        <a href={paths(`wallets/${day.wallet}`)}>{wallet?.label ?? day.wallet}</a>
        {wallet !== null && (
          <>
            , <bdi dir="ltr">{addressEnds(wallet.address)}</bdi>
          </>
        )}
      </p>
      {day.status === 'pending' ? (
        <p>The day has ended, and its blocks are not all read yet.</p>
      ) : (
        <div class="day-sums">
          <Definitions
            entries={[
              ['Opening balance', unit(day.opening)],
              ['Credited to payments', unit(day.credited)],
              ['Unmatched', unit(day.unmatched)],
              ['Unrelated', unit(day.unrelated)],
              ['Dust', unit(day.dust)],
              ['Sent', unit(day.sent)],
              ['Difference', unit(day.difference)],
              ['Closing balance', unit(day.closing)],
            ]}
          />
        </div>
      )}
      {day.differences.length > 0 && (
        <DataTable
          name={`Differences of ${day.day}, ${day.id}`}
          columns={DIFFERENCES}
          rows={day.differences.map(rowOf)}
        />
      )}
    </Card>
  );
}

function rowOf({ kind, token_amount, tx_hash, log_index }: Day['differences'][number], index: number): Row {
  return {
    key: String(index),
    cells: [
      token_amount,
      KINDS[kind],
      tx_hash === null ? (
        '–'
      ) : (
        <>
          <Hash hash={tx_hash} /> {log_index !== null && <span>at {log_index}</span>}
        </>
      ),
    ],
  };
}
