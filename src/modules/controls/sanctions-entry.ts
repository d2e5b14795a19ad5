import { characterCount } from '../../vocabulary/characters';
import { isRefusal, refuse } from '../../vocabulary/errors';
import { NETWORK_IDS, type NetworkId } from '../../vocabulary/networks';
import { addressHex, canonicalAddress } from '../wallets/address';

const MAX_TEXT_LENGTH = 500;

/** An entry of a list of sanctions, as an administrator gives it. */
export type GivenEntry = {
  readonly address: string;
  readonly network: string;
  readonly listSource: string;
  readonly reference: string;
};

export type CheckedEntry = {
  /** The address's 20 bytes as hex, which are the same on every network. */
  readonly id: string;
  readonly address: string;
  readonly network: NetworkId;
  readonly list_source: string;
  readonly reference: string;
};

/** Throws Refusal invalid_sanctions_entry or invalid_sanctions_address, in this order. */
export function checkedEntry({ address: text, network: name, listSource, reference }: GivenEntry): CheckedEntry {
  const network = networkOf(name);
  const facts = { list_source: textOf('list_source', listSource), reference: textOf('reference', reference) };
  const address = addressOf(network, text);
  return { id: addressHex(network, address), address, network, ...facts };
}

/** Throws Refusal invalid_sanctions_entry. */
export function networkOf(name: string): NetworkId {
  const network = NETWORK_IDS.find(each => each === name);
  if (network !== undefined) return network;
  const message = `An address is listed on one of ${NETWORK_IDS.join(', ')}.`;
  throw refuse('invalid_sanctions_entry', { param: 'network', message });
}

function addressOf(network: NetworkId, text: string): string {
  try {
    return canonicalAddress(network, text);
  } catch (cause) {
    if (!isRefusal(cause)) throw cause;
    throw refuse('invalid_sanctions_address', { param: 'address', cause });
  }
}

function textOf(param: string, given: string): string {
  const text = given.trim();
  if (text === '' || characterCount(text) > MAX_TEXT_LENGTH)
    throw refuse('invalid_sanctions_entry', { param, message: `Name it in 1 to ${MAX_TEXT_LENGTH} characters.` });
  return text;
}
