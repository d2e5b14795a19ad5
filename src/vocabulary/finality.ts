import type { FinalityRule, Network } from './networks';

/** The progress of a chain: its head, and the height up to which the network calls its blocks final. */
export type ChainProgress = { readonly head: { readonly number: number }; readonly finalizedHeight: number };

/** The highest block that satisfies the rule's depth and finality; below the first block where there is none yet. */
export function finalHeight(rule: FinalityRule, { head, finalizedHeight }: ChainProgress): number {
  const deep = head.number - rule.confirmations;
  if (!rule.finalized) return deep;
  const unfinalized = rule.confirmationsUnfinalized === null ? -1 : head.number - rule.confirmationsUnfinalized;
  return Math.min(deep, Math.max(finalizedHeight, unfinalized));
}

/** Whether a transaction missed since the head had `missedAt` has had its time to come back. */
export function isReinclusionOver(
  network: Network,
  missedAt: number,
  { head, finalizedHeight }: ChainProgress,
): boolean {
  const isFinalizing = finalizedHeight >= missedAt;
  const blocks = isFinalizing ? network.reinclusionBlocks : network.reinclusionBlocksUnfinalized;
  return head.number - missedAt >= blocks;
}
