import type { Mode } from '../event';
import type { NetworkId } from '../tokens';
import type { BlockHeader } from './chain';

/** Asks the networks that this process reaches for what has stood on them within the last minutes. */
export interface CanonicalBlocks {
  /**
   * `askedBy` names the merchant, or whoever else decides. Throws Refusal provider_unavailable where the network is not
   * reached, or its providers do not agree on the height. Throws rate_limit where `askedBy` asks too much.
   */
  isCanonical(
    mode: Mode,
    network: NetworkId,
    block: Pick<BlockHeader, 'number' | 'hash'>,
    askedBy: string,
  ): Promise<boolean>;
}
