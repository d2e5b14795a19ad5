import { refuse } from '../../vocabulary/errors';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import type { CoverageEvent, CoverageReplaced, CoverageSealed, CoverageStarted } from './coverage.events';

export type Coverage = { readonly isStarted: boolean; readonly sealedTo: number | null; readonly sealedHash: string };
export type CoverageCommand =
  | { readonly type: 'start'; readonly block: CoverageStarted['data'] }
  | { readonly type: 'seal'; readonly range: CoverageSealed['data'] }
  | { readonly type: 'replace'; readonly range: CoverageReplaced['data'] };

/**
 * Blocks in one coverage stream: at a seal every 10 minutes, or every 1,000 blocks, no stream grows beyond some hundred
 * events.
 */
const COVERAGE_EPOCH_BLOCKS = 20_000;

export function coverageEpoch(blockNumber: number): number {
  return Math.floor(blockNumber / COVERAGE_EPOCH_BLOCKS);
}

export function lastOfEpoch(epoch: number): number {
  return (epoch + 1) * COVERAGE_EPOCH_BLOCKS - 1;
}

/** `instance` tells chains of one network apart: the chain id, or for a local chain its genesis hash. */
export function coverageStreamId(network: string, instance: string, epoch: number | 'start'): string {
  return `${network}:${instance}:${epoch}`;
}

function decide(command: CoverageCommand, { isStarted, sealedTo, sealedHash }: Coverage): readonly CoverageEvent[] {
  switch (command.type) {
    case 'start':
      return isStarted ? [] : [{ type: 'CoverageStarted', data: command.block }];
    case 'seal': {
      const { range } = command;
      if (sealedTo === null) return [{ type: 'CoverageSealed', data: range }];
      if (range.to_number <= sealedTo) return [];
      if (range.from_number > sealedTo + 1)
        throw refuse('cursor_rewind', { message: `blocks after ${sealedTo} are missing` });
      const joined = { ...range, from_number: sealedTo + 1, from_parent_hash: sealedHash };
      return [{ type: 'CoverageSealed', data: joined }];
    }
    case 'replace': {
      const isSealed = sealedTo !== null && command.range.to_number <= sealedTo;
      return isSealed ? [{ type: 'CoverageReplaced', data: command.range }] : [];
    }
    default:
      return unreachable(command);
  }
}

function evolve(state: Coverage, event: CoverageEvent): Coverage {
  switch (event.type) {
    case 'CoverageStarted':
      return { ...state, isStarted: true };
    case 'CoverageSealed':
      return { ...state, sealedTo: event.data.to_number, sealedHash: event.data.to_hash };
    case 'CoverageReplaced':
      return event.data.to_number === state.sealedTo ? { ...state, sealedHash: event.data.to_hash } : state;
    default:
      return unreachable(event);
  }
}

/**
 * The coverage of one epoch of a chain, or of the chain's start. Sealed ranges join without a gap and never run back.
 */
export const coverage: Aggregate<Coverage, CoverageCommand, CoverageEvent> = {
  category: 'coverage',
  notFound: null,
  initial: { isStarted: false, sealedTo: null, sealedHash: '' },
  decide,
  evolve,
};
