import { streamName } from '../../../../kernel/event';
import {
  constant,
  decimal,
  MODE,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  whole,
} from '../../../../platform/http/openapi-schema';
import type { Mode } from '../../../../vocabulary/modes';
import { NETWORK_IDS } from '../../../../vocabulary/networks';
import { formatTokenAmount, TOKEN_IDS, TOKENS } from '../../../../vocabulary/tokens';
import { coverageHolesReadModel, type CoverageHoleDocument } from '../../../coverage/coverage-holes.read-model';
import {
  deferredTransfersReadModel,
  type DeferredTransferDocument,
} from '../../../coverage/deferred-transfers.read-model';
import { adminList, byField, ofMode } from '../admin-list';
import { placeIn } from '../place-in-log';

const HOLE_STATUSES = ['open', 'read', 'dropped', 'closed'] as const;
const DEFERRED_STATUSES = ['open', 'finished', 'dropped', 'given_up'] as const;

const COVERAGE_HOLE = resource('coverage_hole', 'Blocks that were passed unread', {
  id: text('The stream of the hole, as actions name it', 'live.coverage_hole-bnb:56:1024'),
  object: constant('coverage_hole'),
  mode: MODE,
  network_id: oneOfTexts(NETWORK_IDS),
  from_block: whole('The first block', 1_024),
  to_block: whole('The last block', 1_030),
  block_time: timestamp('No later than the first block'),
  reason: oneOfTexts(['disputed', 'unreadable']),
  tx_hash: nullable(text('Null where it may be any transaction of the block')),
  status: oneOfTexts(HOLE_STATUSES),
  closing: nullable(record({ note: text(), closed_by: text(), at: timestamp() })),
  created: timestamp(),
});

const DEFERRED_TRANSFER = resource('deferred_transfer', 'A transfer that could not be dealt with and is tried again', {
  id: text('The stream of the transfer', 'live.deferred_transfer-bnb:56:0x5c:0'),
  object: constant('deferred_transfer'),
  mode: MODE,
  network_id: oneOfTexts(NETWORK_IDS),
  token_id: oneOfTexts(TOKEN_IDS),
  tx_hash: text(),
  log_index: whole('Its place in the transaction', 0),
  from: text('The sender'),
  to: text('The receiving wallet'),
  token_amount: decimal('The amount that has come', '26.153040'),
  block_number: whole('The block that holds it', 1_024),
  block_time: timestamp('By the chain'),
  fault: text('The code of the refusal, or the name of the error'),
  status: oneOfTexts(DEFERRED_STATUSES),
  giving_up: nullable(record({ reason: text(), given_up_by: text(), at: timestamp() })),
  created: timestamp(),
});

export const coverageHoles = adminList({
  path: 'coverage_holes',
  summary: 'List the blocks that were passed unread, the newest first; open ones by default',
  item: COVERAGE_HOLE,
  readModel: coverageHolesReadModel,
  lies: 'in_modes',
  filters: {
    mode: ofMode<CoverageHoleDocument>(),
    status: byField<CoverageHoleDocument>('status', { values: HOLE_STATUSES, fallback: 'open' }),
  },
  indexes: [{ index: 'by_status', filters: ['status'] }],
  order: ['opened_at', 'id'],
  notFound: 'resource_missing',
  find: ({ readModels }, name) => {
    const place = placeIn('coverage_hole', name);
    return place ? readModels.get(coverageHolesReadModel, place.mode, place.stream) : Promise.resolve(null);
  },
  present: ({ id, body: { mode, network_id, block_time, reason, tx_hash, status, closing, ...rest } }) => ({
    ...{ id: streamName(mode as Mode, 'coverage_hole', id), object: 'coverage_hole' as const, mode, network_id },
    ...{ from_block: rest.block_number, to_block: rest.to_number, block_time, reason, tx_hash, status, closing },
    created: rest.opened_at,
  }),
});

export const deferredTransfers = adminList({
  path: 'deferred_transfers',
  summary: 'List the transfers that are tried again, the newest first; open ones by default',
  item: DEFERRED_TRANSFER,
  readModel: deferredTransfersReadModel,
  lies: 'in_modes',
  filters: {
    mode: ofMode<DeferredTransferDocument>(),
    status: byField<DeferredTransferDocument>('status', { values: DEFERRED_STATUSES, fallback: 'open' }),
  },
  indexes: [{ index: 'by_status', filters: ['status'] }],
  order: ['deferred_at', 'id'],
  notFound: 'resource_missing',
  find: ({ readModels }, name) => {
    const place = placeIn('deferred_transfer', name);
    return place ? readModels.get(deferredTransfersReadModel, place.mode, place.stream) : Promise.resolve(null);
  },
  present: ({ id, body }) => {
    const { mode, network_id, token_id, tx_hash, ordinal, from, to, block_number, block_time, fault } = body;
    return {
      ...{
        id: streamName(mode as Mode, 'deferred_transfer', id),
        object: 'deferred_transfer' as const,
        mode,
        network_id,
      },
      ...{ token_id, tx_hash, log_index: ordinal, from, to, block_number, block_time, fault, status: body.status },
      token_amount: formatTokenAmount(TOKENS[token_id], body.value_base_units),
      ...{ giving_up: body.giving_up, created: body.deferred_at },
    };
  },
});
