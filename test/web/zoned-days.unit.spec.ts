import { zonedDay } from '../../web/words/zoned-days';

it.each([
  ['2026-11-01', 'first', 'UTC', '2026-11-01T00:00:00.000Z'],
  ['2026-11-01', 'last', 'UTC', '2026-11-01T23:59:59.999Z'],
  ['2026-07-01', 'first', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
  ['2026-11-01', 'last', 'America/New_York', '2026-11-02T04:59:59.999Z'],
  ['2026-11-01', 'first', 'America/New_York', '2026-11-01T04:00:00.000Z'],
  ['2026-11-01', 'first', 'Asia/Kathmandu', '2026-10-31T18:15:00.000Z'],
  ['2026-03-29', 'last', 'Europe/Berlin', '2026-03-29T21:59:59.999Z'],
] as const)('%s begins or ends (%s) in %s', (day, end, zone, moment) => {
  expect(zonedDay(day, end, zone, 'from')).toBe(moment);
});

it('leaves a whole timestamp as it is, and nothing where nothing was typed', () => {
  expect(zonedDay('2026-11-01T12:00:00Z', 'last', 'Asia/Tokyo', 'to')).toBe('2026-11-01T12:00:00Z');
  expect([zonedDay('', 'first', 'UTC', 'from'), zonedDay(undefined, 'first', 'UTC', 'from')]).toStrictEqual([
    ...[undefined, undefined],
  ]);
});

it.each([
  ['2026-02-30', 'UTC'],
  ['0001-01-01', 'America/New_York'],
  ['9999-12-31', 'America/New_York'],
])('refuses %s in %s', (day, zone) => {
  expect(() => zonedDay(day, 'last', zone, 'from')).toThrow(
    expect.objectContaining({ code: 'invalid_timestamp', param: 'from' }) as Error,
  );
});
