import { isIP } from 'node:net';

const GROUPS = 8;
const NETWORK_GROUPS = 4;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The subject by which a client address is counted; null for a text that is no address. An IPv4 address counts as
 * itself, even where it comes mapped into IPv6. An IPv6 address counts by its /64, because one customer of a provider
 * has at least a /64.
 */
export function addressSubject(text: string): string | null {
  const [address = ''] = text.split('%');
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return isIP(mapped) === 4 ? mapped : null;
  const family = isIP(address);
  if (family === 4) return address;
  return family === 6 ? `${networkOf(address)}::/64` : null;
}

function networkOf(address: string): string {
  const [head = '', tail] = address.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = new Array<string>(Math.max(0, GROUPS - before.length - after.length)).fill('0');
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map(group => parseInt(group, 16).toString(16))
    .join(':');
}

/** A dotted end stands for two groups, in the half that is not counted. */
function groupsOf(text: string): readonly string[] {
  if (text === '') return [];
  return text.split(':').flatMap(group => (group.includes('.') ? ['0', '0'] : [group]));
}
