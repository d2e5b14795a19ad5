import type { Mode } from '../../kernel/event';
import { AddressBlocks } from './address-blocks';
import { isPublicAddress } from './blocked-addresses';

/** Where webhooks may go: to public addresses, and in test mode to `allowedSubnets` as well. */
export class EgressAddresses {
  private readonly allowed: AddressBlocks;

  /** Throws RangeError on what is no `address/prefix`. */
  constructor(allowedSubnets: readonly string[]) {
    this.allowed = new AddressBlocks(allowedSubnets);
  }

  isReachable(mode: Mode, address: string): boolean {
    return isPublicAddress(address) || (mode === 'test' && this.allowed.has(address));
  }
}
