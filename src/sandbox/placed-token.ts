import { AbiCoder, Interface, keccak256, toBeHex, toUtf8Bytes } from 'ethers';
import { z } from 'zod';
import { invariant } from '../kernel/invariant';
import type { Rpc } from '../platform/chains/evm/json-rpc';
import artefact from './sandbox-token.json';

const { abi, bytecode, slots } = artefact;
const WORD_BYTES = 32;
const code = z.string().regex(/^0x(?:[0-9a-f]{2})+$/);

export const sandboxToken = new Interface(abi);

type PlacedToken = {
  readonly address: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly holders: readonly string[];
  readonly balanceBaseUnits: bigint;
};

/**
 * Puts a token where its real network has it, which no deployment could do. The node is given the code that a
 * deployment would leave (with the decimals in it). The node is also given the storage that the token's constructor
 * would have written.
 */
export async function placeToken(rpc: Rpc, token: PlacedToken): Promise<void> {
  const { address, name, symbol, decimals, holders, balanceBaseUnits } = token;
  const data = bytecode + sandboxToken.encodeDeploy([name, symbol, decimals]).slice(2);
  const deployed = await rpc.call('eth_call', [{ data }, 'latest'], code);
  await rpc.call('anvil_setCode', [address, deployed], z.unknown());
  const storage: (readonly [string, string])[] = [
    [toWord(slots.name), shortString(name)],
    [toWord(slots.symbol), shortString(symbol)],
    [toWord(slots.totalSupply), toWord(balanceBaseUnits * BigInt(holders.length))],
    ...holders.map(holder => [mappingSlot(holder, slots.balanceOf), toWord(balanceBaseUnits)] as const),
  ];
  for (const [slot, value] of storage) {
    await rpc.call('anvil_setStorageAt', [address, slot, value], z.literal(true));
  }
}

function toWord(value: number | bigint): string {
  return toBeHex(value, WORD_BYTES);
}

/**
 * Solidity keeps strings below 32 bytes in their own slot: the bytes from the left, twice their number in the last
 * byte.
 */
function shortString(text: string): string {
  const bytes = toUtf8Bytes(text);
  invariant(bytes.length < WORD_BYTES, `${text} takes more than one storage slot`);
  const word = new Uint8Array(WORD_BYTES);
  word.set(bytes);
  word[WORD_BYTES - 1] = bytes.length * 2;
  return `0x${Buffer.from(word).toString('hex')}`;
}

/** The storage slot in which Solidity keeps a mapping's value. */
function mappingSlot(key: string, slot: number): string {
  return keccak256(AbiCoder.defaultAbiCoder().encode(['address', 'uint256'], [key, slot]));
}
