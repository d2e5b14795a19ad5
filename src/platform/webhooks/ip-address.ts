import { isIP } from 'node:net';

/** An address as one number of 32 or 128 bits, most significant first. */
export type IpAddress = { readonly bits: 32 | 128; readonly value: bigint };

export type Subnet = { readonly base: IpAddress; readonly prefix: number };

const GROUPS = 8;
const MAPPED_PREFIX = 0xffffn;
const IPV4_MASK = 0xffff_ffffn;

/**
 * Reads an address as sockets and resolvers write them; an IPv4-mapped one (`::ffff:a.b.c.d`) is the IPv4 address that
 * packets go to. Null for everything else, an IPv6 address with a zone among it.
 */
export function parseIpAddress(text: string): IpAddress | null {
  const family = isIP(text);
  if (family === 4) return { bits: 32, value: ipv4Value(text) };
  if (family !== 6 || text.includes('%')) return null;
  const value = ipv6Value(text);
  return value >> 32n === MAPPED_PREFIX ? { bits: 32, value: value & IPV4_MASK } : { bits: 128, value };
}

/** Throws RangeError on what is no `address/prefix`. */
export function parseSubnet(text: string): Subnet {
  const [address = '', prefixText = '', ...rest] = text.split('/');
  const base = parseIpAddress(address);
  const prefix = /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Infinity;
  if (!base || rest.length > 0 || prefix > base.bits) throw new RangeError(`not a subnet: ${text}`);
  return { base, prefix };
}

export function isInSubnet(address: IpAddress, { base, prefix }: Subnet): boolean {
  const hostBits = BigInt(base.bits - prefix);
  return address.bits === base.bits && address.value >> hostBits === base.value >> hostBits;
}

function ipv4Value(text: string): bigint {
  return text.split('.').reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

function ipv6Value(text: string): bigint {
  const [head = '', tail] = withoutDottedEnd(text).split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = new Array<string>(GROUPS - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':');
}

/** `::127.0.0.1` as `::7f00:1`. */
function withoutDottedEnd(text: string): string {
  const end = text.lastIndexOf(':') + 1;
  if (!text.includes('.', end)) return text;
  const value = ipv4Value(text.slice(end));
  return `${text.slice(0, end)}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}
