import type { Mode } from '../event';
import type { NetworkId } from '../tokens';
import type { BlockHeader } from './chain';

/** Asks the networks that this process reaches for what stands on them at this moment. */
export interface CanonicalBlocks {
  /** Throws Refusal provider_unavailable where the network is not reached, or its providers do not agree on the height. */
  isCanonical(mode: Mode, network: NetworkId, block: Pick<BlockHeader, 'number' | 'hash'>): Promise<boolean>;
}
