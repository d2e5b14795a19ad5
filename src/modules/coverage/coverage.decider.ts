import { refuse } from '../../kernel/errors';
import type { Aggregate } from '../../kernel/write-path';
import type { CoverageEvent, CoverageSealed } from './coverage.events';

export type Coverage = { readonly sealedTo: number | null };
export type CoverageCommand = { readonly type: 'seal'; readonly range: CoverageSealed['data'] };

/** Blocks in one coverage stream: at a seal every 10 minutes, or every 1,000 blocks, no stream grows beyond some hundred events. */
export const COVERAGE_EPOCH_BLOCKS = 20_000;

/** `instance` tells chains of one network apart: the chain id, or for a local sandbox chain its genesis hash. */
export function coverageStreamId(network: string, instance: string, blockNumber: number): string {
  return `${network}:${instance}:${Math.floor(blockNumber / COVERAGE_EPOCH_BLOCKS)}`;
}

export const coverage: Aggregate<Coverage, CoverageCommand, CoverageEvent> = {
  category: 'coverage',
  missing: null,
  initial: { sealedTo: null },
  /** Sealed ranges join without a gap and never run back. */
  decide({ range }, { sealedTo }) {
    if (sealedTo === null) return [{ type: 'CoverageSealed', data: range }];
    if (range.to_number <= sealedTo) return [];
    if (range.from_number > sealedTo + 1)
      throw refuse('cursor_rewind', { message: `blocks after ${sealedTo} are missing` });
    return [{ type: 'CoverageSealed', data: { ...range, from_number: sealedTo + 1 } }];
  },
  evolve: (_, event) => ({ sealedTo: event.data.to_number }),
};
