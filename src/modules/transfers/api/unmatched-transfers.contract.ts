import { ASSETS, TOKEN_IDS } from '../../../vocabulary/tokens';
import { NETWORK_IDS } from '../../../vocabulary/networks';
import { DecisionNote, OneOf } from '../../../platform/http/fields/text-fields';
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
  text,
  timestamp,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { SET_ASIDE_OUTCOMES } from '../transfer.events';

export class SetAsideDto {
  @OneOf(SET_ASIDE_OUTCOMES, { code: 'invalid_resolution' })
  outcome!: (typeof SET_ASIDE_OUTCOMES)[number];

  @DecisionNote()
  note!: string;
}

const HASH = text('0x and 64 hex characters; on tron 64 without 0x', `0x${'5c'.repeat(32)}`);

const CANDIDATE = record({
  payment_intent: id('pi'),
  reason: text(
    'Why it may be this one, in plain words',
    'Short by 1, which exchanges take off a withdrawal; paid 4 minutes after the quote.',
  ),
  distance: decimal('How far the transfer is from what was asked for, in the token', '1.000000'),
});

const UNMATCHED_TRANSFER = resource(
  'unmatched_transfer',
  'Money that reached a wallet of yours and is counted for no payment',
  {
    id: id('tr'),
    object: constant('unmatched_transfer'),
    mode: MODE,
    status: oneOfTexts(
      ['unmatched', 'attribution_failed', 'set_aside'],
      'attribution_failed: it was given to a payment that could not take it; support opens it again. set_aside: you took it out of the queue; only the answer to that shows it.',
    ),
    reason: nullable(
      oneOfTexts(
        ['no_reservation', 'credit_refused', 'too_many_waiting', 'given_up', 'reopened'],
        'no_reservation: nobody was asked for this amount then. credit_refused: its payment could not take it any more. too_many_waiting: its payment could not be decided on yet, and too many transfers waited for that. given_up: support ended such a wait. reopened: support took it back from a payment.',
      ),
    ),
    set_aside: nullable(
      record({
        outcome: oneOfTexts(SET_ASIDE_OUTCOMES, 'returned: the money went back to its sender. kept: you keep it.'),
        note: text('Your note', 'Sent back on request of the customer'),
      }),
    ),
    network_id: oneOfTexts(NETWORK_IDS),
    token_id: oneOfTexts(TOKEN_IDS),
    asset_symbol: oneOfTexts(ASSETS),
    tx_hash: HASH,
    log_index: whole('Which transfer of its transaction', 0),
    from: text('The sender', '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'),
    to: text('Your wallet', '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'),
    token_amount: decimal('Amount that has come', '26.153040'),
    block_number: whole('The block that holds it', 1024),
    block_time: timestamp('By the chain'),
    candidates: { ...arrayOf(CANDIDATE), description: 'Payments of yours it may be for, the likeliest first' },
    created: timestamp(),
  },
);

export type UnmatchedTransferResource = Answer<typeof UNMATCHED_TRANSFER>;

export const UNMATCHED_TRANSFER_OPERATIONS = {
  list: {
    id: 'listUnmatchedTransfers',
    summary: 'List transfers that match no payment, newest first',
    description:
      'Unmatched transfers to your verified wallets. Where two accounts have verified one address, both see its transfers, each with candidates of its own.',
    answer: listOf(UNMATCHED_TRANSFER),
    paged: true,
    query: { network_id: oneOfTexts(NETWORK_IDS) },
    refuses: [],
  },
  get: {
    id: 'getUnmatchedTransfer',
    summary: 'Retrieve a transfer that matches no payment',
    answer: UNMATCHED_TRANSFER,
    refuses: ['unmatched_transfer_not_found'],
  },
  setAside: {
    id: 'setAsideUnmatchedTransfer',
    summary: 'Take a transfer out of the queue without a payment',
    description:
      'For money that you have returned or keep, such as a transfer to a canceled payment. Nothing is sent by this call. Support can open the transfer again.',
    answer: UNMATCHED_TRANSFER,
    refuses: ['unmatched_transfer_not_found', 'unmatched_transfer_already_resolved', 'invalid_resolution'],
  },
} as const satisfies OperationTable;
