import { API_VERSIONS, FIRST_API_VERSION, NEWEST_API_VERSION } from '../../../src/vocabulary/api-versions';
import { inVersion, VERSION_CHANGES } from '../../../src/platform/versions/shape-in-version';

const method = { token_id: 'usdc-base', quote_expires_at: 'q', reserved_until: 'r' };
const payment = {
  id: 'pi_1',
  object: 'payment_intent',
  payment_method: method,
  metadata: { object: 'payment_intent' },
};
const before = { ...payment, payment_method: { token_id: 'usdc-base', quote_expires_at: 'q' } };

it('has one change for each version but the first, newest first', () => {
  expect(VERSION_CHANGES.map(({ version }) => version)).toEqual([...API_VERSIONS].reverse().slice(0, -1));
  expect([...API_VERSIONS].sort()).toEqual(API_VERSIONS);
  expect([API_VERSIONS.at(0), API_VERSIONS.at(-1)]).toEqual([FIRST_API_VERSION, NEWEST_API_VERSION]);
});

it('leaves the newest shape alone', () => {
  expect(inVersion(payment, NEWEST_API_VERSION)).toBe(payment);
});

it.each([
  ['a resource', payment, before],
  ['a list', { object: 'list', data: [payment] }, { object: 'list', data: [before] }],
  ['an event', { object: 'webhook_event', data: payment }, { object: 'webhook_event', data: before }],
  [
    'a list of events',
    { object: 'list', data: [{ object: 'webhook_event', data: payment }] },
    { object: 'list', data: [{ object: 'webhook_event', data: before }] },
  ],
  ['a payment without a method', { ...payment, payment_method: null }, { ...payment, payment_method: null }],
])('takes %s back to the first version', (_, newest, first) => {
  expect(inVersion(newest, '2026-11-01')).toStrictEqual(first);
});

it('takes nothing else for a resource', () => {
  const link = { object: 'payment_link', metadata: { object: 'payment_intent', payment_method: 'x' } };
  expect(inVersion(link, '2026-11-01')).toStrictEqual(link);
  expect(inVersion('text', '2026-11-01')).toBe('text');
  expect(inVersion({ object: 'toString', data: null }, '2026-11-01')).toStrictEqual({ object: 'toString', data: null });
});

it('changes nothing of what it was given', () => {
  const given = structuredClone(payment);
  inVersion(given, '2026-11-01');
  expect(given).toStrictEqual(payment);
});
