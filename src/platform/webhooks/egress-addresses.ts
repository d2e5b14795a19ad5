import type { Mode } from '../../vocabulary/modes';
import { AddressBlocks } from './address-blocks';
import { isPublicAddress } from './blocked-addresses';

/** The addresses for webhooks: public ones, and in test mode those of `allowedSubnets` as well. */
export class EgressAddresses {
  private readonly allowed: AddressBlocks;

  /** Throws RangeError for a text that is no `address/prefix`. */
  constructor(allowedSubnets: readonly string[]) {
    this.allowed = new AddressBlocks(allowedSubnets);
  }

  isReachable(mode: Mode, address: string): boolean {
    return isPublicAddress(address) || (mode === 'test' && this.allowed.has(address));
  }
}
