import type { CoverageHoleEvent } from '../coverage/coverage-hole.events';
import type { CoverageEvent } from '../coverage/coverage.events';
import type { DeferredTransferEvent } from '../coverage/deferred-transfer.events';
import { quoted, tokens, type Reasons } from './reason-words';

export const COVERAGE_REASONS: Reasons<CoverageEvent> = {
  CoverageStarted: ({ number }) => `Watching began after block ${number}. Nothing was payable on the chain before.`,
  CoverageSealed: ({ from_number, to_number, providers }) =>
    `Each block from ${from_number} to ${to_number} was read by its hash from ${providers.join(', ')}, ` +
    'and each of its transfers has its place.',
  CoverageReplaced: ({ from_number, to_number, providers }) =>
    `A reorganisation replaced the blocks ${from_number} to ${to_number}. ` +
    `The blocks that stand now were read from ${providers.join(', ')}.`,
};

export const HOLE_REASONS: Reasons<CoverageHoleEvent> = {
  CoverageHoleOpened: ({ network_id, block_number, to_number, reason, tx_hash }) =>
    `${network_id}: the blocks ${block_number} to ${to_number} could not be proved. ` +
    (reason === 'disputed' ? 'The providers’ answers differ' : 'Too few providers give them in a usable form') +
    `${tx_hash === null ? '' : ` on the transaction ${tx_hash}`}. Scanning goes on, and deadlines behind it wait.`,
  CoverageHoleExtended: ({ to_number }) => `The blocks up to ${to_number} could not be read whole either.`,
  CoverageHoleShortened: ({ block_number }) =>
    `The first blocks were read whole after all. The hole goes on from block ${block_number}.`,
  CoverageHoleRead: () => 'The blocks were read whole after all, and each of their transfers has its place.',
  CoverageHoleDropped: () => 'A reorganisation replaced the blocks.',
  CoverageHoleClosed: ({ note }) => `An administrator gave the blocks up unread: ${quoted(note)}.`,
};

export const DEFERRAL_REASONS: Reasons<DeferredTransferEvent> = {
  TransferDeferred: ({ tx_hash, block_number, value_base_units, fault }, units) =>
    `${tokens(value_base_units, units)} of the transaction ${tx_hash} in block ${block_number} could not be placed ` +
    `(${fault}). The transfer is tried again, and the deadlines of its payment wait.`,
  DeferredTransferFinished: () => 'The transfer has its credit, or its place in the queue, or is dust.',
  DeferredTransferDropped: () => 'A reorganisation replaced the block of the transfer.',
  DeferredTransferGivenUp: ({ reason }) => `An administrator ended the wait: ${quoted(reason)}.`,
};
