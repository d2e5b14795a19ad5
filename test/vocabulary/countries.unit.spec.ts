import { COUNTRIES, isCountry } from '../../src/vocabulary/countries';

it('has each assigned code once, sorted', () => {
  expect(COUNTRIES).toHaveLength(249);
  expect([...new Set(COUNTRIES)].toSorted()).toEqual(COUNTRIES);
  expect(COUNTRIES.filter(code => !/^[A-Z]{2}$/.test(code))).toEqual([]);
});

it.each(['UK', 'EU', 'XX', 'fr', 'FRA', '', 'constructor'])('has no %j', text => {
  expect(isCountry(text)).toBe(false);
});
