import { addressSubject } from '../../../src/platform/rate-limits/client-address';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['1:2:3:4:5:6:203.0.113.7', '1:2:3:4::/64'],
])('counts %s as %s', (address, subject) => {
  expect(addressSubject(address)).toBe(subject);
});

it.each(['', 'unknown', '1.2.3', '::ffff:300.1.1.1', '1.2.3.4, 5.6.7.8', '12345::'])(
  'takes %p for no address',
  text => {
    expect(addressSubject(text)).toBeNull();
  },
);
