import { BoundedMap } from '../../kernel/bounded-map';
import { DAY_MS, startOfDay } from '../../kernel/clock';
import type { BlockHeader, Chain } from '../../kernel/ports/chain';
import { finalHeight } from '../../vocabulary/finality';
import type { Mode } from '../../vocabulary/modes';
import { NETWORKS, type FinalityRule, type NetworkId } from '../../vocabulary/networks';
import { refuse } from '../../vocabulary/errors';

/** `last`: the last block of a UTC day; null where the chain began later. `next`: the first block after the day. */
export type DayEnd = { readonly last: BlockHeader | null; readonly next: BlockHeader };

const ENDS_KEPT = 8;

/** Finds the last block of each day, by the blocks' own times, once the block that follows is final. */
export class DayBounds {
  private readonly ends = new BoundedMap<string, DayEnd>(ENDS_KEPT);

  constructor(
    private readonly mode: Mode,
    private readonly network: NetworkId,
    private readonly chain: Pick<Chain, 'head' | 'finalizedHeight' | 'blockAt' | 'agreedBlock'>,
  ) {}

  /** Null while the day's end is not final. */
  async endOf(day: string): Promise<DayEnd | null> {
    const known = this.ends.get(day);
    if (known) return known;
    const endMs = startOfDay(day) + DAY_MS;
    const height = await this.finalHeight();
    if (height < 0) return null;
    const final = await this.headerAt(height);
    if (final.timeMs < endMs) return null;
    const first = await this.firstFrom(endMs, final);
    const end = { last: first === 0 ? null : await this.agreed(first - 1), next: await this.agreed(first) };
    const isEnd = end.next.timeMs >= endMs && (end.last === null || end.last.timeMs < endMs);
    const isLinked = end.last === null || end.next.parentHash === end.last.hash;
    if (!isEnd || !isLinked)
      throw refuse('provider_response_invalid', { message: `Providers differ on the end of ${day}.` });
    this.ends.set(day, end);
    return end;
  }

  /** The caller calls this where a day's blocks are found to be others. */
  forget(): void {
    this.ends.clear();
  }

  /** In live mode no balance goes by a block that its network does not call final. */
  private async finalHeight(): Promise<number> {
    const [head, finalizedHeight] = await Promise.all([this.chain.head(), this.chain.finalizedHeight()]);
    const { standard } = NETWORKS[this.network].finality[this.mode];
    const rule: FinalityRule = this.mode === 'live' ? { ...standard, finalized: true } : standard;
    return finalHeight(rule, { head, finalizedHeight });
  }

  /**
   * The lowest height at or after the moment. The day mostly ended a short while ago, so the search goes back from the
   * final block in growing steps, and then halves the rest.
   */
  private async firstFrom(timeMs: number, final: BlockHeader): Promise<number> {
    const isLater = async (height: number): Promise<boolean> => (await this.headerAt(height)).timeMs >= timeMs;
    let later = final.number;
    let earlier = -1;
    for (let back = 1; earlier < 0 && later > 0; back *= 2) {
      const height = Math.max(0, final.number - back);
      if (await isLater(height)) later = height;
      else earlier = height;
    }
    while (later - earlier > 1) {
      const middle = Math.floor((later + earlier) / 2);
      if (await isLater(middle)) later = middle;
      else earlier = middle;
    }
    return later;
  }

  private async headerAt(height: number): Promise<BlockHeader> {
    return this.present(height, await this.chain.blockAt(height));
  }

  private async agreed(height: number): Promise<BlockHeader> {
    return this.present(height, await this.chain.agreedBlock(height));
  }

  private present(height: number, header: BlockHeader | null): BlockHeader {
    if (header) return header;
    throw refuse('provider_unavailable', { message: `Too few providers tell block ${height}.` });
  }
}
