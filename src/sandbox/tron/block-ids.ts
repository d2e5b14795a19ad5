import { NETWORKS } from '../../vocabulary/networks';
import type { TronFaults } from './tron-faults';

/** The chain id of Shasta, which `wrongGenesis` serves. */
const OTHER_CHAIN_ID = 0x94a9059e;
const NUMBER_DIGITS = 16;
const CHAIN_ID_DIGITS = 8;
const BLOCK_ID_PATTERN = /^[0-9a-f]{64}$/;

export type BlockIdFaults = Pick<TronFaults, 'wrongGenesis' | 'forkFrom'>;
type HashedBlock = { readonly number: number; readonly hash: string; readonly parentHash: string };

export function servedChainId({ wrongGenesis }: BlockIdFaults): number {
  return wrongGenesis ? OTHER_CHAIN_ID : NETWORKS.tron.chainId.test;
}

/**
 * A block's number in 8 bytes and the last 24 bytes of its hash, as hex. The id of the first block ends in the chain
 * id.
 */
export function blockId(number: number, evmHash: string, faults: BlockIdFaults): string {
  const digits = number.toString(16).padStart(NUMBER_DIGITS, '0');
  const tail = evmHash.slice(2 + NUMBER_DIGITS);
  if (number === 0) return digits + tail.slice(0, -CHAIN_ID_DIGITS) + servedChainId(faults).toString(16);
  const isForked = faults.forkFrom !== null && number >= faults.forkFrom;
  return digits + (isForked ? turned(tail) : tail);
}

export function parentId({ number, parentHash }: HashedBlock, faults: BlockIdFaults): string {
  return number === 0 ? parentHash.slice(2) : blockId(number - 1, parentHash, faults);
}

/** The number in a block id; null for a text that is no block id. */
export function numberInBlockId(id: string): number | null {
  if (!BLOCK_ID_PATTERN.test(id)) return null;
  const number = Number.parseInt(id.slice(0, NUMBER_DIGITS), 16);
  return Number.isSafeInteger(number) ? number : null;
}

function turned(hex: string): string {
  return [...hex].map(digit => (0xf - Number.parseInt(digit, 16)).toString(16)).join('');
}
