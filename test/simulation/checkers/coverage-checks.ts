import type { RecordedEvent } from '../../../src/kernel/event';
import { byStream } from '../history';
import type { ChainOutside } from '../outside';

type Range = { readonly from_number: number; readonly to_number: number };

/**
 * The last cursor may be so far behind the head. The bound is the depth at which blocks count as final, plus the blocks
 * since the cursor was last moved.
 */
const BEHIND_BLOCKS = 60;

/**
 * I13: the sealed ranges of each network follow one another from the first watched block on, without a gap or an
 * overlap. Every block under the cursor that stands was scanned as itself, one by one or in a range. The cursor never
 * ran back.
 */
export function everyBlockIsScanned(chains: readonly ChainOutside[], events: readonly RecordedEvent[]): string[] {
  const found: string[] = [];
  for (const { network, chain, scanned, cursors } of chains) {
    const own = [...byStream(events, 'coverage')]
      .filter(([stream]) => stream.includes(network))
      .flatMap(([, history]) => history);
    const start = own.find(({ type }) => type === 'CoverageStarted');
    if (!start) {
      found.push(`I13: ${network} was never watched`);
      continue;
    }
    const first = start.data.number as number;
    let end = first;
    for (const { type, data } of own) {
      if (type !== 'CoverageSealed') continue;
      const { from_number: from, to_number: to } = data as Range;
      if (from !== end + 1) found.push(`I13: ${network} is sealed up to ${end}, then from ${from}`);
      end = to;
    }
    const back = cursors.findIndex((cursor, index) => index > 0 && cursor < (cursors[index - 1] as number));
    if (back >= 0) found.push(`I13: the cursor of ${network} ran back from ${cursors[back - 1]} to ${cursors[back]}`);
    const cursor = cursors.at(-1) ?? 0;
    if (cursor < chain.height - BEHIND_BLOCKS) found.push(`I13: ${network} is covered to ${cursor} of ${chain.height}`);
    for (let height = first + 1; height <= cursor; height++) {
      const hash = chain.now.hashAt(height) ?? '';
      if (!scanned.has(hash)) found.push(`I13: ${network} block ${height} was never scanned`);
    }
  }
  return found;
}
