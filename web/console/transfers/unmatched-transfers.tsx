import { unmatchedTransfers } from '../../../src/modules/administration/api/lists/unmatched-transfers';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { Address } from '../../parts/address';
import { Candidates } from '../../parts/candidates';
import { Card } from '../../parts/card';
import { Definitions } from '../../parts/definitions';
import type { Tone } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { addressEnds, networkName } from '../../words/chain-names';
import { queueReason } from '../../words/queue-reasons';
import { ActionLink } from '../actions/action-link';
import type { ListPages } from '../lists/list-pages';
import { MerchantLink, ModeBadge, StateBadge, ObjectLink } from '../lists/object-words';
import type { RowOf } from '../lists/row-of';

type Transfer = RowOf<typeof unmatchedTransfers>;
const TONES: Readonly<Record<string, Tone>> = { unmatched: 'review', attribution_failed: 'bad', attributed: 'ok' };

const tokenText = ({ token_amount, token_id }: Transfer): string => `${token_amount} ${TOKENS[token_id].asset}`;
const isOpen = ({ status }: Transfer): boolean => status === 'unmatched' || status === 'attribution_failed';

/** The transfers of all merchants that count for no payment. */
export const UNMATCHED_TRANSFERS: ListPages<Transfer> = {
  list: unmatchedTransfers,
  path: 'transfers',
  title: 'Unmatched transfers',
  icon: 'circle-question-mark',
  none: 'No unmatched transfers',
  columns: [
    { heading: 'Amount', isNumber: true },
    { heading: 'Status' },
    { heading: 'Network' },
    { heading: 'From' },
    { heading: 'To' },
    { heading: 'Candidates', isNumber: true },
    { heading: 'Came in' },
    { heading: 'Mode' },
  ],
  cells: transfer => [
    tokenText(transfer),
    <StateBadge text={transfer.status} tones={TONES} />,
    networkName(transfer.network_id),
    <code>{addressEnds(transfer.from)}</code>,
    <code>{addressEnds(transfer.to)}</code>,
    String(transfer.candidates.length),
    <TimeOf at={transfer.block_time} />,
    <ModeBadge mode={transfer.mode} />,
  ],
  detail: {
    title: transfer => tokenText(transfer),
    actions: ({ row }) =>
      isOpen(row) ? (
        <>
          <ActionLink action="resolveTransfer" text="Give to a payment" target={row.id} isMain />
          <ActionLink action="resolveTransfer" text="Set aside" target={row.id} fields={{ outcome: 'returned' }} />
        </>
      ) : (
        <ActionLink action="reopenTransfer" text="Put back into the queue" target={row.id} />
      ),
    body: TransferBody,
  },
};

function TransferBody({ row }: { readonly row: Transfer }) {
  const { id, mode, status, reason, payment_intent, set_aside, network_id, tx_hash, log_index, from, to } = row;
  return (
    <>
      <Card title="Transfer" liveId="transfer" said={status}>
        <Definitions
          entries={[
            ['Status', <StateBadge text={status} tones={TONES} />],
            ['Why it waits', reason === null ? 'It does not wait.' : queueReason(reason)],
            ['Amount', tokenText(row)],
            [
              'Id',
              <ObjectLink mode={mode} category="transfer" id={id} streamId={`${network_id}:${tx_hash}:${log_index}`} />,
            ],
            ['Mode', <ModeBadge mode={mode} />],
            ['Network', networkName(network_id)],
            ['Transaction', <span class="hash">{tx_hash}</span>],
            ['Place in the transaction', String(log_index)],
            ['From', <Address address={from} />],
            ['To', <Address address={to} />],
            ['Block', String(row.block_number)],
            ['Came in', <TimeOf at={row.block_time} />],
            ['Payment', payment_intent === null ? 'None' : <code>{payment_intent}</code>],
            ['Set aside', set_aside === null ? 'No' : `${set_aside.outcome}: ${set_aside.note}`],
          ]}
        />
      </Card>
      {row.candidates.length > 0 && (
        <Card title="Payments that it may be meant for">
          <Candidates
            label="Candidates"
            candidates={row.candidates.map(({ payment_intent: candidate, merchant_id, reason: why, distance }) => ({
              id: candidate,
              name: (
                <>
                  <code>{candidate}</code> of <MerchantLink id={merchant_id} />
                </>
              ),
              reasons: [why, `Off by ${distance}`],
              action: isOpen(row) && (
                <ActionLink
                  action="resolveTransfer"
                  text="Give to this one"
                  target={id}
                  fields={{ payment_intent: candidate }}
                  of={candidate}
                />
              ),
            }))}
          />
        </Card>
      )}
    </>
  );
}
