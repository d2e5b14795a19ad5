import {
  arrayOf,
  constant,
  decimal,
  id,
  MODE,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  whole,
} from '../../../../platform/http/openapi-schema';
import { NETWORK_IDS } from '../../../../vocabulary/networks';
import { formatTokenAmount, TOKEN_IDS, TOKENS } from '../../../../vocabulary/tokens';
import { evidenceInWords } from '../../../transfers/api/evidence-words';
import { ownAddresses } from '../../../transfers/own-transfer';
import { SET_ASIDE_OUTCOMES } from '../../../transfers/transfer.events';
import {
  unmatchedTransfersReadModel,
  type UnmatchedTransferDocument,
} from '../../../transfers/unmatched-transfers.read-model';
import { adminList, byField, byTest, ofMode } from '../admin-list';
import { ALL_MODES } from '../find-payment';

const STATUSES = ['seen', 'unmatched', 'attribution_failed', 'set_aside', 'attributed', 'reorged_out'] as const;
const OPEN_STATUSES = ['unmatched', 'attribution_failed'] as const;

const QUEUED_TRANSFER = resource('queued_transfer', 'A transfer that counted for no payment when it came', {
  id: id('tr'),
  object: constant('queued_transfer'),
  mode: MODE,
  status: oneOfTexts(STATUSES),
  reason: nullable(text('The reason why it is in the queue', 'no_reservation')),
  payment_intent: nullable(id('pi', 'The payment that took it, or could not')),
  set_aside: nullable(record({ outcome: oneOfTexts(SET_ASIDE_OUTCOMES), note: text() })),
  network_id: oneOfTexts(NETWORK_IDS),
  token_id: oneOfTexts(TOKEN_IDS),
  tx_hash: text(),
  log_index: whole('Its place in the transaction', 0),
  from: text('The sender'),
  to: text('The receiving wallet'),
  token_amount: decimal('The amount that has come', '26.153040'),
  block_number: whole('The block that holds it', 1_024),
  block_time: timestamp('By the chain'),
  candidates: arrayOf(
    record({
      payment_intent: id('pi'),
      merchant_id: id('mch'),
      reason: text('Why it may be this one, in plain words'),
      distance: decimal('How far the transfer is from what was asked for', '1.000000'),
    }),
  ),
  created: nullable(timestamp('The time when it first came into the queue')),
});

/** The addresses are those that the merchant has proved to be its own. */
const toMerchant = byTest<UnmatchedTransferDocument>(async (merchantId, { readModels }) => {
  const own = new Set<string>();
  for (const mode of ALL_MODES) {
    const addresses = await ownAddresses(readModels, { merchantId, mode });
    for (const { network_id, address } of addresses) own.add(`${mode}/${network_id}/${address}`);
  }
  return ({ mode, network_id, address }) => own.has(`${mode}/${network_id}/${address}`);
});

export const unmatchedTransfers = adminList({
  path: 'unmatched_transfers',
  summary: 'List the transfers that count for no payment, the newest first',
  item: QUEUED_TRANSFER,
  readModel: unmatchedTransfersReadModel,
  lies: 'in_modes',
  filters: {
    merchant: toMerchant,
    mode: ofMode<UnmatchedTransferDocument>(),
    status: byField<UnmatchedTransferDocument>('status', { values: OPEN_STATUSES }),
  },
  indexes: [{ index: 'by_open', filters: [], fixed: { open: true } }],
  order: ['created', 'id'],
  notFound: 'unmatched_transfer_not_found',
  present: ({ id: transferId, body }) => {
    const { address, value_base_units, ordinal, candidates } = body;
    const token = TOKENS[body.token_id];
    const { mode, status, reason, payment_intent, set_aside, network_id, token_id, tx_hash, from } = body;
    return {
      ...{ id: transferId, object: 'queued_transfer' as const, mode, status, reason, payment_intent, set_aside },
      ...{ network_id, token_id, tx_hash, log_index: ordinal, from, to: address },
      token_amount: formatTokenAmount(token, value_base_units),
      ...{ block_number: body.block_number, block_time: body.block_time },
      candidates: candidates.map(({ payment_intent: candidate, merchant_id, evidence, distance_base_units }) => ({
        payment_intent: candidate,
        merchant_id,
        reason: evidenceInWords(token, evidence),
        distance: formatTokenAmount(token, distance_base_units),
      })),
      created: body.created,
    };
  },
});
