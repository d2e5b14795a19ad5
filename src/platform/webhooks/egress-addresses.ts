import type { Mode } from '../../kernel/event';
import { isPublicAddress } from './blocked-addresses';
import { isInSubnet, parseIpAddress, parseSubnet, type Subnet } from './ip-address';

/** Where webhooks may go: to public addresses, and in test mode to `allowedSubnets` as well. */
export class EgressAddresses {
  private readonly allowed: readonly Subnet[];

  /** Throws RangeError on what is no `address/prefix`. */
  constructor(allowedSubnets: readonly string[]) {
    this.allowed = allowedSubnets.map(parseSubnet);
  }

  isReachable(mode: Mode, text: string): boolean {
    if (isPublicAddress(text)) return true;
    const address = mode === 'test' ? parseIpAddress(text) : null;
    return address !== null && this.allowed.some(subnet => isInSubnet(address, subnet));
  }
}
