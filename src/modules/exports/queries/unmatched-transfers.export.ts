import { everyDocument } from '../../../kernel/every-document';
import type { Document } from '../../../kernel/ports/documents';
import { invariant } from '../../../kernel/invariant';
import {
  decimal,
  id,
  nullable,
  oneOfTexts,
  resource,
  text,
  timestamp,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { NETWORK_IDS } from '../../../vocabulary/networks';
import { ASSETS, formatTokenAmount, TOKEN_IDS, TOKENS } from '../../../vocabulary/tokens';
import { ownAddresses } from '../../transfers/own-transfer';
import { SET_ASIDE_OUTCOMES } from '../../transfers/transfer.events';
import {
  unmatchedTransfersReadModel,
  type UnmatchedTransferDocument,
} from '../../transfers/unmatched-transfers.read-model';
import { PAGE_ROWS, type ExportSource } from '../export-source';
import { mergedPages } from '../merged-pages';
import { exportKind } from './export-kind';

const IN_QUEUE = ['unmatched', 'attribution_failed', 'set_aside'] as const;
type InQueue = (typeof IN_QUEUE)[number];
/** Few documents of each address are held, so that the addresses of an account may be many. */
const ADDRESS_PAGE = 20;

const UNMATCHED_TRANSFER_ROW = resource('unmatched_transfer_export_row', 'One unmatched transfer of an export', {
  id: id('tr'),
  status: oneOfTexts(IN_QUEUE, 'set_aside: you took it out of the queue'),
  created: timestamp('When it came into the queue'),
  network_id: oneOfTexts(NETWORK_IDS),
  token_id: oneOfTexts(TOKEN_IDS),
  asset_symbol: oneOfTexts(ASSETS),
  token_amount: decimal('Amount that has come', '27.153040'),
  tx_hash: text('0x and 64 hex characters; on tron 64 without 0x', `0x${'5c'.repeat(32)}`),
  log_index: whole('Which transfer of its transaction', 0),
  from: text('The sender', '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'),
  to: text('Your wallet', '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'),
  block_number: whole('The block that holds it', 1024),
  block_time: timestamp('The time of that block'),
  reason: nullable(text('Why no payment has it', 'no_reservation')),
  set_aside_outcome: nullable(oneOfTexts(SET_ASIDE_OUTCOMES, 'returned: it went back to its sender')),
  set_aside_note: nullable(text('Your note', 'Sent back on request of the customer')),
});

type UnmatchedTransferRow = Answer<typeof UNMATCHED_TRANSFER_ROW>;

/** A transfer that has got a payment, or has left the chain, is no row. */
function unmatchedTransferRows({
  id: transferId,
  body,
}: Document<UnmatchedTransferDocument>): readonly UnmatchedTransferRow[] {
  if (!isInQueue(body.status)) return [];
  invariant(body.created !== null, `${transferId} came into the queue at no time`);
  const token = TOKENS[body.token_id];
  const row: UnmatchedTransferRow = {
    id: transferId,
    status: body.status,
    created: body.created,
    network_id: body.network_id,
    token_id: token.id,
    asset_symbol: token.asset,
    token_amount: formatTokenAmount(token, body.value_base_units),
    tx_hash: body.tx_hash,
    log_index: body.ordinal,
    from: body.from,
    to: body.address,
    block_number: body.block_number,
    block_time: body.block_time,
    reason: body.reason,
    set_aside_outcome: body.set_aside && body.set_aside.outcome,
    set_aside_note: body.set_aside && body.set_aside.note,
  };
  return [row];
}

function isInQueue(status: UnmatchedTransferDocument['status']): status is InQueue {
  return (IN_QUEUE as readonly string[]).includes(status);
}

/** The lists of all addresses that the merchant has proved, merged by their common order. */
async function* queuePages(source: ExportSource): AsyncGenerator<readonly Document<UnmatchedTransferDocument>[]> {
  const { readModels, mode, range = {}, ascending = false } = source;
  const addresses = await ownAddresses(readModels, source);
  const lists = addresses.flatMap(({ network_id, address }) =>
    [true, false].map(open =>
      everyDocument(readModels, unmatchedTransfersReadModel, {
        index: 'by_address',
        equals: { mode, network_id, address, open },
        // A transfer that never came into the queue has no time there, and lies outside of any range.
        range: { from: '', ...range },
        descending: !ascending,
        limit: ADDRESS_PAGE,
      }),
    ),
  );
  yield* mergedPages(lists, { ascending, rows: PAGE_ROWS });
}

export const unmatchedTransfersExport = exportKind(UNMATCHED_TRANSFER_ROW, queuePages, unmatchedTransferRows);
