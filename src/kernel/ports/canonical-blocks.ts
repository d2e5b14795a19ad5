import type { Mode } from '../../vocabulary/modes';
import type { NetworkId } from '../../vocabulary/networks';
import type { BlockHeader } from './chain';

/** Asks the networks that this process reaches whether a block of the last minutes is canonical. */
export interface CanonicalBlocks {
  /**
   * `askedBy` names the merchant, or another actor. Throws Refusal provider_unavailable where the network is not
   * reached, or its providers do not agree on the height. Throws rate_limit where `askedBy` asks too much.
   */
  isCanonical(
    mode: Mode,
    network: NetworkId,
    block: Pick<BlockHeader, 'number' | 'hash'>,
    askedBy: string,
  ): Promise<boolean>;
}
