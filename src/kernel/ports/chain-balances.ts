import type { BlockHeader, RangeReading } from './chain';

/**
 * The questions of the books to a network. The answers do not depend on any transfer that was matched. Addresses are in
 * the network's stored form. Every method throws Refusal provider_unavailable, provider_response_invalid or
 * provider_network_mismatch, and never guesses an answer.
 */
export interface ChainBalances {
  /**
   * Transfers of `contract` from or to any of `parties` over a range of final blocks, both ends included. A transfer of
   * nothing moves nothing, and is left out. A question that is asked again after a failure continues at the failed
   * block.
   */
  movementsInRange(from: number, to: number, contract: string, parties: readonly string[]): Promise<RangeReading>;
  /**
   * The balance of `owner` in the token `contract` right after a final block, in base units. Null where the providers
   * do not keep the state of that block any more.
   */
  balanceAt(contract: string, owner: string, block: Pick<BlockHeader, 'number' | 'hash'>): Promise<bigint | null>;
}
