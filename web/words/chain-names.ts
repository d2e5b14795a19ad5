import { isNetworkId, NETWORKS, type NetworkId } from '../../src/vocabulary/networks';
import { TOKENS, type TokenId } from '../../src/vocabulary/tokens';

const END_LENGTH = 6;

type Pair = { readonly asset: string; readonly network: NetworkId };

/** An asset with its network, as people call the two: `USDT on TRON`. */
export function pairName({ asset, network }: Pair): string {
  return `${asset} on ${NETWORKS[network].name}`;
}

export function tokenName(id: TokenId): string {
  return pairName(TOKENS[id]);
}

/** A network that is not known yet is named by its id. */
export function networkName(id: string): string {
  return isNetworkId(id) ? NETWORKS[id].name : id;
}

/** The ends of an address, where there is no room for all of it. */
export function addressEnds(address: string): string {
  return `${address.slice(0, END_LENGTH)}…${address.slice(-END_LENGTH)}`;
}
