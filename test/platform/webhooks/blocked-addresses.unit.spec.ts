import { BLOCKED_IPV4, isPublicAddress } from '../../../src/platform/webhooks/blocked-addresses';
import { EgressAddresses } from '../../../src/platform/webhooks/egress-addresses';

function dotted(value: number): string {
  return [24, 16, 8, 0].map(shift => Math.floor(value / 2 ** shift) % 256).join('.');
}

function number(text: string): number {
  return text.split('.').reduce((value, octet) => value * 256 + Number(octet), 0);
}

/** First and last address of each block, written out apart from the code that blocks them. */
const IPV4_BLOCKS: readonly (readonly [string, string])[] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
];

const IPV6_BLOCKED = [
  '::',
  '::1',
  '100::1',
  '64:ff9b::808:808',
  '64:ff9b:1::808:808',
  '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001::',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db8::',
  '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
  '2002::',
  '2002:808:808::1',
  '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2620:4f:8000::1',
  '3ffe::1',
  '3fff::',
  '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
  '4000::',
  '5f00::1',
  'fc00::1',
  'fdff:ffff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
];

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '223.255.255.255',
  '2000::',
  '2001:200::',
  '2001:4860:4860::8888',
  '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db9::',
  '2003::1',
  '2606:4700:4700::1111',
  '2620:4f:7fff::1',
  '3ffd:ffff::1',
  '3fff:1000::',
];

/** The same IPv4 address inside an IPv6 one, however it is written. */
function embeddings(ipv4: string): readonly string[] {
  const value = number(ipv4);
  const high = Math.floor(value / 65_536).toString(16);
  const low = (value % 65_536).toString(16);
  return [
    `::ffff:${ipv4}`,
    `::ffff:${high}:${low}`,
    `0:0:0:0:0:FFFF:${high}:${low}`,
    `::${ipv4}`,
    `::ffff:0:${ipv4}`,
    `64:ff9b::${ipv4}`,
    `64:ff9b:1::${ipv4}`,
    `2002:${high}:${low}::`,
    `2001:0:${high}:${low}::`,
  ];
}

describe('blocked addresses', () => {
  it.each(IPV4_BLOCKS)('blocks %s to %s and nothing at their edges', (first, last) => {
    expect(isPublicAddress(first)).toBe(false);
    expect(isPublicAddress(last)).toBe(false);
    const others = IPV4_BLOCKS.map(([from, to]) => [number(from), number(to)] as const);
    for (const neighbour of [number(first) - 1, number(last) + 1]) {
      if (neighbour < 0 || neighbour > 0xffff_ffff) continue;
      const isBlocked = others.some(([from, to]) => neighbour >= from && neighbour <= to);
      expect([dotted(neighbour), isPublicAddress(dotted(neighbour))]).toEqual([dotted(neighbour), !isBlocked]);
    }
  });

  it('has no block that the table above does not have', () => {
    const addresses = IPV4_BLOCKS.reduce((sum, [first, last]) => sum + number(last) - number(first) + 1, 0);
    const blocked = BLOCKED_IPV4.reduce((sum, block) => sum + 2 ** (32 - Number(block.split('/')[1])), 0);
    expect(blocked).toBe(addresses);
  });

  it.each(IPV6_BLOCKED)('blocks %s', address => expect(isPublicAddress(address)).toBe(false));

  it.each(PUBLIC)('lets %s pass', address => expect(isPublicAddress(address)).toBe(true));

  it.each(IPV4_BLOCKS.flat().flatMap(embeddings))('blocks %s, which holds a blocked IPv4 address', address => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it('sees through a mapping only: packets to it are IPv4 packets', () => {
    expect(embeddings('8.8.8.8').filter(isPublicAddress)).toEqual([
      '::ffff:8.8.8.8',
      '::ffff:808:808',
      '0:0:0:0:0:FFFF:808:808',
    ]);
  });

  it.each([
    '',
    'localhost',
    '1.2.3',
    '01.2.3.4',
    '1.2.3.4/8',
    '1.2.3.4.',
    '::g',
    '2606:4700::1%eth0',
    '[2606:4700::1]',
  ])('refuses %j, which is no address', text => expect(isPublicAddress(text)).toBe(false));
});

describe('allowed subnets', () => {
  const addresses = new EgressAddresses(['127.0.0.0/8', '::1/128'], [443]);

  it.each(['127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1'])('open %s to test mode only', address => {
    expect(addresses.isReachable('test', address)).toBe(true);
    expect(addresses.isReachable('live', address)).toBe(false);
  });

  it.each(['10.0.0.1', '128.0.0.0/8', '::2', '::127.0.0.1', '64:ff9b::127.0.0.1', 'localhost'])(
    'do not open %s',
    address => expect(addresses.isReachable('test', address)).toBe(false),
  );

  it.each(['127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
    'of IPv6 do not open the IPv4 address %s, not even all of them together',
    address => expect(new EgressAddresses(['::/0'], [443]).isReachable('test', address)).toBe(false),
  );

  it.each([
    ['10.0.0.0/9', ['10.0.0.0', '10.127.255.255', '::ffff:10.127.255.255'], ['10.128.0.0', '10.255.255.255', '::ffff:a80:0']],
    ['10.1.2.3/32', ['10.1.2.3', '::ffff:a01:203'], ['10.1.2.2', '10.1.2.4', '::ffff:10.1.2.4']],
    ['0.0.0.0/0', ['10.1.2.3', '255.255.255.255', '::ffff:10.1.2.3'], ['::1', '::10.1.2.3']],
    ['fd00:8000::/17', ['fd00:8000::', 'fd00:ffff::1'], ['fd00:7fff::1', 'fd01:8000::', '10.0.0.1']],
    ['fd00::1:0/127', ['fd00::1:0', 'fd00::1:1'], ['fd00::1:2', 'fd00::ffff']],
  ] as const)('of %s open what lies in it, and not its neighbours', (subnet, inside, outside) => {
    const opened = new EgressAddresses([subnet], [443]);
    for (const address of inside) expect([address, opened.isReachable('test', address)]).toEqual([address, true]);
    for (const address of outside) expect([address, opened.isReachable('test', address)]).toEqual([address, false]);
  }); // prettier-ignore

  it.each([
    '127.0.0.0', '127.0.0.0/33', 'localhost/8', '::1/129', '127.0.0.0/8/8', '127.0.0.0/-1', '/8', '127.0.0.0/', 'fe80::1%eth0/64',
    '::ffff:10.0.0.0/8', '::ffff:10.0.0.0/104',
  ])('are refused as %s', subnet => expect(() => new EgressAddresses([subnet], [443])).toThrow(RangeError)); // prettier-ignore
});

describe('ports', () => {
  const addresses = new EgressAddresses(['127.0.0.0/8'], [443, 8443]);

  it('are open at public addresses where they are named', () => {
    for (const mode of ['test', 'live'] as const) {
      for (const address of ['8.8.8.8', null]) expect(addresses.isPortOpen(mode, address, 8443)).toBe(true);
      expect(addresses.isPortOpen(mode, '8.8.8.8', 22)).toBe(false);
    }
  });

  it('are all open in a subnet of development, and to names that may lead there', () => {
    for (const address of ['127.0.0.1', null]) {
      expect(addresses.isPortOpen('test', address, 3000)).toBe(true);
      expect(addresses.isPortOpen('live', address, 3000)).toBe(false);
    }
    expect(new EgressAddresses([], [443]).isPortOpen('test', null, 3000)).toBe(false);
  });

  it('are all open where all are asked for', () => {
    expect(new EgressAddresses([], 'any').isPortOpen('live', '8.8.8.8', 22)).toBe(true);
  });
});
