import { isIP } from 'node:net';
import { AddressBlocks, isMapped } from './address-blocks';

/**
 * Every block of the IANA IPv4 Special-Purpose Address Registry, multicast (224/4) and the block that the registry
 * reserves as a whole (240/4). Besides, 168.63.129.16 is Azure's own host: a virtual machine reaches DNS and the
 * machine's certificates there.
 */
export const BLOCKED_IPV4: readonly string[] = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32', '169.254.0.0/16', '172.16.0.0/12',
  '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16',
  '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4',
]; // prettier-ignore

/**
 * The one block of IPv6 that is assigned for global unicast. Outside it lie loopback, link-local, site-local,
 * unique-local, multicast and the embeddings of IPv4: compatible (::/96), translated (::ffff:0:0:0/96), NAT64
 * (64:ff9b::/96, 64:ff9b:1::/48).
 */
const GLOBAL_UNICAST = new AddressBlocks(['2000::/3']);

/**
 * The blocks inside `GLOBAL_UNICAST` that are not public, by the IANA IPv6 Special-Purpose Address Registry. The blocks
 * are protocol assignments, documentation, 6to4 and AS112. The protocol assignments include Teredo 2001::/32,
 * benchmarking 2001:2::/48, and ORCHID 2001:10::/28 and 2001:20::/28. Besides, 3ffe::/16 is the returned 6bone.
 */
const BLOCKED_IPV6: readonly string[] = [
  '2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3ffe::/16', '3fff::/20',
]; // prettier-ignore

const BLOCKED = new AddressBlocks([...BLOCKED_IPV4, ...BLOCKED_IPV6]);

/** Whether a socket to this address leaves for the public network. False for a text that is no address. */
export function isPublicAddress(address: string): boolean {
  const mayBePublic = isIP(address) === 4 || isMapped(address) || GLOBAL_UNICAST.has(address);
  return mayBePublic && !BLOCKED.has(address);
}
