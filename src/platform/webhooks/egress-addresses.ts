import type { Mode } from '../../vocabulary/modes';
import { AddressBlocks } from './address-blocks';
import { isPublicAddress } from './blocked-addresses';

/** `any`: each port is open. */
export type WebhookPorts = readonly number[] | 'any';

/**
 * The addresses for webhooks: public ones at the open ports, and in test mode those of `allowedSubnets` at each port.
 */
export class EgressAddresses {
  private readonly allowed: AddressBlocks;
  private readonly hasSubnets: boolean;

  /** Throws RangeError for a text that is no `address/prefix`. */
  constructor(
    allowedSubnets: readonly string[],
    readonly ports: WebhookPorts,
  ) {
    this.allowed = new AddressBlocks(allowedSubnets);
    this.hasSubnets = allowedSubnets.length > 0;
  }

  isReachable(mode: Mode, address: string): boolean {
    return isPublicAddress(address) || this.isAllowed(mode, address);
  }

  /** `address` is null for a name: a name may lead into a subnet where each port is open. */
  isPortOpen(mode: Mode, address: string | null, port: number): boolean {
    if (this.ports === 'any' || this.ports.includes(port)) return true;
    return address === null ? mode === 'test' && this.hasSubnets : this.isAllowed(mode, address);
  }

  private isAllowed(mode: Mode, address: string): boolean {
    return mode === 'test' && this.allowed.has(address);
  }
}
