import { refuse } from '../../kernel/errors';
import type { Mode } from '../../kernel/event';
import type { NetworkId } from '../../kernel/tokens';
import type { MessageSignatures } from './message-signatures';

/** Where micro-deposits go, for each mode and network that this deployment watches. */
export interface VerificationAddresses {
  /** In its stored form; null where there is none. */
  addressOf(mode: Mode, network: NetworkId): string | null;
}

export const VERIFICATION_ADDRESSES = Symbol('VerificationAddresses');

type AddressesOf<Key> = Readonly<Record<NetworkId, Key>>;
type WatchedForDeposits = { readonly mode: Mode; readonly network: NetworkId; readonly sandbox: boolean };

/** Where micro-deposits of the local chains go: nobody has its key, and what is sent there is worth nothing. */
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
      return configured[network][mode] ?? (watched.sandbox ? NOBODYS_ADDRESSES[network] : null);
    },
  };
}

/** Throws Refusal parameter_invalid, naming `method`, where this deployment cannot check a signature of the network. */
export function checkSignatures(network: NetworkId, { networks }: MessageSignatures): void {
  if (networks.includes(network)) return;
  throw unsupported('signed_message', network, `It can be on ${networks.join(', ') || 'no network'}.`);
}

/**
 * The address to send to. Throws Refusal parameter_invalid, naming `method`, where nobody watches for a micro-deposit.
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
