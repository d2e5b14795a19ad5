import { refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import type { NetworkId } from '../../vocabulary/networks';
import type { WatchPolicy } from '../../vocabulary/watch-policy';
import type { MessageSignatures } from './message-signatures';

/** The address for micro-deposits, for each mode and network that this deployment watches. */
export interface VerificationAddresses {
  /** The address in its stored form; null where there is none. */
  addressOf(mode: Mode, network: NetworkId): string | null;
}

export const VERIFICATION_ADDRESSES = Symbol('VerificationAddresses');

type AddressesOf<Key> = Readonly<Record<NetworkId, Key>>;
type WatchedForDeposits = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly policy: Pick<WatchPolicy, 'unsetVerificationAddress'>;
};

/** The address for micro-deposits of the local chains: nobody has its key, and transfers to it are worth nothing. */
const NOBODYS_ADDRESS = '0x00000000000000000000000000000000ce717171';
const NOBODYS_ADDRESSES: AddressesOf<string> = {
  bnb: NOBODYS_ADDRESS,
  base: NOBODYS_ADDRESS,
  tron: 'T9yD14Nj9j7xAB4dbGeiX9hjSYeyJpGWXo',
};

/** The configured address of each watched network; a local chain without one has its own, whose key nobody has. */
export function verificationAddresses(
  networks: readonly WatchedForDeposits[],
  configured: AddressesOf<Readonly<Record<Mode, string | null>>>,
): VerificationAddresses {
  return {
    addressOf: (mode, network) => {
      const watched = networks.find(each => each.mode === mode && each.network === network);
      if (!watched) return null;
      const isNobodys = watched.policy.unsetVerificationAddress === 'nobodys';
      return configured[network][mode] ?? (isNobodys ? NOBODYS_ADDRESSES[network] : null);
    },
  };
}

/** Throws Refusal parameter_invalid, naming `method`, where this deployment cannot check a signature of the network. */
export function checkSignatures(network: NetworkId, { networks }: MessageSignatures): void {
  if (networks.includes(network)) return;
  throw unsupported('signed_message', network, `Signatures are checked on ${networks.join(', ') || 'no network'}.`);
}

/**
 * The address to send to. Throws Refusal parameter_invalid, naming `method`, where no watcher looks for a
 * micro-deposit.
 */
export function depositAddress(mode: Mode, network: NetworkId, addresses: VerificationAddresses): string {
  const address = addresses.addressOf(mode, network);
  if (address === null) throw unsupported('micro_deposit', network, 'No verification address is configured for it.');
  return address;
}

function unsupported(method: string, network: NetworkId, why: string): Error {
  const message = `A wallet on ${network} cannot be verified by ${method} here. ${why}`;
  return refuse('parameter_invalid', { param: 'method', message });
}
