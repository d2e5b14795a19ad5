import { isIP } from 'node:net';

const GROUPS = 8;
const GROUP_BITS = 16;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The network that failures and places are counted by; null for an address that is not known. */
export function networkOf(ip: string | null): string | null {
  return prefixOf(ip, { v4Bytes: 3, v6Groups: 3 });
}

/** The part of an address that a pinned session keeps; null for an address that is not known. */
export function pinOf(ip: string | null): string | null {
  return prefixOf(ip, { v4Bytes: 4, v6Groups: 4 });
}

/** `203.0.113.0/24`, `2001:db8:1::/48`. An IPv4 address counts as itself where it comes mapped into IPv6. */
function prefixOf(ip: string | null, { v4Bytes, v6Groups }: { v4Bytes: number; v6Groups: number }): string | null {
  const [text = ''] = (ip ?? '').split('%');
  const address = MAPPED.exec(text)?.[1] ?? text;
  const family = isIP(address);
  if (family === 4) {
    const kept = address.split('.').map((byte, index) => (index < v4Bytes ? byte : '0'));
    return `${kept.join('.')}/${v4Bytes * 8}`;
  }
  return family === 6 ? `${groupsOf(address).slice(0, v6Groups).join(':')}::/${v6Groups * GROUP_BITS}` : null;
}

/** All eight groups, without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = address.split('::');
  const [before, after] = [groupsIn(head), groupsIn(tail ?? '')];
  const zeros = new Array<string>(tail === undefined ? 0 : GROUPS - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].map(group => parseInt(group, 16).toString(16));
}

/** A dotted end stands for two groups, behind those that any prefix keeps. */
function groupsIn(text: string): readonly string[] {
  return text === '' ? [] : text.split(':').flatMap(group => (group.includes('.') ? ['0', '0'] : [group]));
}
