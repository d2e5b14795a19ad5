import type { Document } from '../../../kernel/ports/documents';
import {
  decimal,
  id,
  oneOfTexts,
  resource,
  text,
  timestamp,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { NETWORK_IDS } from '../../../vocabulary/networks';
import { ASSETS, formatTokenAmount, TOKEN_IDS, TOKENS } from '../../../vocabulary/tokens';
import { paymentIntentsReadModel, type PaymentIntentDocument } from '../../payment-intents/payment-intents.read-model';
import { ownPages, UNSHOWN_OF_PAYMENTS } from '../export-source';
import { exportKind } from './export-kind';

const TRANSFER_ROW = resource('transfer_export_row', 'One transfer of an export', {
  id: id('tr'),
  payment_intent: id('pi', 'The payment that it is counted for'),
  payment_created: timestamp('When that payment was made: the order of the rows, and their range'),
  status: oneOfTexts(
    ['seen', 'confirming', 'credited', 'reorged', 'failed'],
    'Only a credited transfer is money for certain',
  ),
  attribution: oneOfTexts(['exact', 'claimed', 'inferred']),
  network_id: oneOfTexts(NETWORK_IDS),
  token_id: oneOfTexts(TOKEN_IDS),
  asset_symbol: oneOfTexts(ASSETS),
  token_amount: decimal('Amount that has come', '27.153040'),
  tx_hash: text('0x and 64 hex characters; on tron 64 without 0x', `0x${'5c'.repeat(32)}`),
  log_index: whole('Which transfer of its transaction', 0),
  from: text('The payer', '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'),
  to: text('Your wallet', '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'),
  wallet_id: id('wal'),
  block_number: whole('The block that holds it', 1024),
  block_time: timestamp('The time of that block'),
});

type TransferRow = Answer<typeof TRANSFER_ROW>;

/** The transfers of one payment, in the order in which they were seen. */
function transferRows({ id: paymentId, body }: Document<PaymentIntentDocument>): readonly TransferRow[] {
  const { quote } = body.state;
  if (quote === null) return [];
  const token = TOKENS[quote.token_id];
  return body.transfers.map(transfer => ({
    id: transfer.transfer_id,
    payment_intent: paymentId,
    payment_created: body.created,
    status: transfer.status,
    attribution: transfer.attribution,
    network_id: token.network,
    token_id: token.id,
    asset_symbol: token.asset,
    token_amount: formatTokenAmount(token, transfer.value_base_units),
    tx_hash: transfer.tx_hash,
    log_index: transfer.ordinal,
    from: transfer.from,
    to: quote.address,
    wallet_id: quote.wallet_id,
    block_number: transfer.block_number,
    block_time: transfer.block_time,
  }));
}

const pages = ownPages(paymentIntentsReadModel, UNSHOWN_OF_PAYMENTS);

export const transfersExport = exportKind(TRANSFER_ROW, pages, transferRows);
