import type { Mode } from '../../src/vocabulary/modes';
import { TOKENS, type Token, type TokenId } from '../../src/vocabulary/tokens';
import type { NetworkId } from '../../src/vocabulary/networks';
import { tronTwin } from '../../src/platform/chains/tron/tron-address';
import { isOn } from './knobs';

/** The setting of a seed: two networks of one mode. In turn all of them come up, in both modes. */
export type Setting = {
  readonly mode: Mode;
  readonly networks: readonly [NetworkId, NetworkId];
  /** Providers of each network that are asked by a pool, one by one; 0 where their common word is simulated. */
  readonly nodes: number;
};

const PAIRS = [
  ['base', 'bnb'],
  ['bnb', 'tron'],
  ['tron', 'base'],
] as const satisfies readonly (readonly [NetworkId, NetworkId])[];

/** Two merchants receive at this one address: a transfer is matched by its amount, whichever merchant asked for it. */
const SHARED_ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const ADDED_ADDRESSES = ['0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', '0x90F79bf6EB2c4f870365E785982E1f101E93b906'];

export const TOKEN_OF = { tron: 'usdt-tron', bnb: 'usdt-bnb', base: 'usdc-base' } as const satisfies Record<
  NetworkId,
  TokenId
>;

export function settingOf(seed: number): Setting {
  // In test mode one provider's word is enough, even a wrong one.
  const nodes = isOn('providers') && seed % 5 === 1 ? 2 + (seed % 2) : 0;
  return { mode: seed % 5 < 2 ? 'live' : 'test', networks: PAIRS[seed % 3] ?? PAIRS[0], nodes };
}

export function tokenOf(network: NetworkId): Token {
  return TOKENS[TOKEN_OF[network]];
}

export function sharedAddress(network: NetworkId): string {
  return addressOn(network, SHARED_ADDRESS);
}

/** Every address at which either merchant may receive: the shared one, and those that are added meanwhile. */
export function addressesOf(network: NetworkId): readonly string[] {
  return [SHARED_ADDRESS, ...ADDED_ADDRESSES].map(address => addressOn(network, address));
}

/** The account of one key, as the network writes it. */
export function addressOn(network: NetworkId, address: string): string {
  return network === 'tron' ? tronTwin(address) : address;
}
