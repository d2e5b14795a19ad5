import { networksOf, type NetworkId } from '../../../vocabulary/networks';
import { isRefusal } from '../../../vocabulary/errors';
import { addressBytes } from '../address-bytes';

/**
 * The kind of an address by its form under any tag. `invalid` gives the fault of a text that looks like an address and
 * is none.
 */
type ListedAddress =
  | { readonly kind: 'ours'; readonly networks: readonly NetworkId[]; readonly bytes: string }
  | { readonly kind: 'invalid'; readonly problem: string }
  | { readonly kind: 'unknown' };

const EVM_PATTERN = /^0x[0-9a-fA-F]{40}$/;
const TRON_PATTERN = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;

/** One key is one account on every network of a family. */
export function listedAddress(text: string): ListedAddress {
  if (EVM_PATTERN.test(text)) return checked(text, networksOf('evm'));
  if (TRON_PATTERN.test(text)) return checked(text, networksOf('tron'));
  return { kind: 'unknown' };
}

function checked(text: string, networks: readonly NetworkId[]): ListedAddress {
  try {
    return { kind: 'ours', networks, bytes: addressBytes(networks[0] as NetworkId, text) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { kind: 'invalid', problem: `${text} fails its checksum` };
  }
}
