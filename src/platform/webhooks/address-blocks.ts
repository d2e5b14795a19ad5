import { BlockList, isIP } from 'node:net';

const PREFIX = /^\d{1,3}$/;

/** IPv4 addresses inside IPv6 ones (`::ffff:a.b.c.d`): packets to them are IPv4 packets. */
const MAPPED = new BlockList();
MAPPED.addSubnet('::ffff:0:0', 96, 'ipv6');

/** Blocks of addresses, each of one family: a block of IPv6 holds no IPv4 address in any form. */
export class AddressBlocks {
  private readonly ipv4 = new BlockList();
  private readonly ipv6 = new BlockList();

  /** Throws RangeError for a text that is no `address/prefix`. */
  constructor(subnets: readonly string[]) {
    for (const subnet of subnets) this.add(subnet);
  }

  /** Takes addresses as sockets and resolvers write them. False for any other text, and where a zone is named. */
  has(text: string): boolean {
    const family = isIP(text);
    if (family === 4) return this.ipv4.check(text, 'ipv4');
    if (family !== 6 || text.includes('%')) return false;
    return isMapped(text) ? this.ipv4.check(text, 'ipv6') : this.ipv6.check(text, 'ipv6');
  }

  private add(subnet: string): void {
    const [address = '', prefixText = '', ...rest] = subnet.split('/');
    const [family, prefix] = [isIP(address), PREFIX.test(prefixText) ? Number(prefixText) : Infinity];
    const isSubnet = rest.length === 0 && !address.includes('%') && prefix <= (family === 4 ? 32 : 128);
    // A prefix of a mapped address could be that of either family.
    if (family === 0 || !isSubnet || isMapped(address)) throw new RangeError(`not a subnet: ${subnet}`);
    if (family === 4) this.ipv4.addSubnet(address, prefix, 'ipv4');
    else this.ipv6.addSubnet(address, prefix, 'ipv6');
  }
}

export function isMapped(address: string): boolean {
  return isIP(address) === 6 && !address.includes('%') && MAPPED.check(address, 'ipv6');
}
