import type { CoverageEvent } from './coverage.events';

/**
 * A fault in coverage. `unscanned`: blocks that no range covers. `unlinked`: a range that does not follow from the
 * range before it. `unread`: blocks that were passed without having been read whole.
 */
export type CoverageGap = {
  readonly kind: 'unscanned' | 'unlinked' | 'unread';
  readonly from_number: number;
  readonly to_number: number;
};

const NOTHING = { number: -1, hash: '' };

/**
 * Finds the gaps among the sealed ranges of one chain, from its first watched block up to `sealedTo`. The events come
 * in the order in which they were recorded. `unread`: the open holes, which lie above `sealedTo` as well.
 */
export function findGaps(
  events: readonly CoverageEvent[],
  sealedTo: number,
  unread: readonly Pick<CoverageGap, 'from_number' | 'to_number'>[],
): readonly CoverageGap[] {
  const gaps: CoverageGap[] = unread.map(hole => ({ kind: 'unread', ...hole }));
  let end = NOTHING;
  for (const { type, data } of events) {
    if (type === 'CoverageStarted') {
      end = { number: data.number, hash: data.hash };
    } else if (type === 'CoverageReplaced') {
      if (data.to_number === end.number) end = { number: data.to_number, hash: data.to_hash };
    } else {
      const { from_number, from_parent_hash, to_number, to_hash } = data;
      if (from_number > end.number + 1)
        gaps.push({ kind: 'unscanned', from_number: end.number + 1, to_number: from_number - 1 });
      else if (end.number === from_number - 1 && end.hash !== from_parent_hash)
        gaps.push({ kind: 'unlinked', from_number, to_number });
      if (to_number > end.number) end = { number: to_number, hash: to_hash };
    }
  }
  if (sealedTo > end.number) gaps.push({ kind: 'unscanned', from_number: end.number + 1, to_number: sealedTo });
  return gaps;
}
