import { CustomerCountries } from '../../../src/modules/controls/customer-countries';
import { geoBlocks } from '../../../src/modules/controls/geo-block.decider';
import type { GeoBlockEvent } from '../../../src/modules/controls/geo-block.events';
import type { Refusal } from '../../../src/vocabulary/errors';
import { given } from '../../support/given-when-then';

const CONTEXT = { actor: { role: 'admin', type: 'admin', id: 'adm_1' }, now: 0 } as const;
const blocked = (...blocked_countries: readonly string[]): GeoBlockEvent => ({
  type: 'CountriesBlocked',
  data: { blocked_countries },
});
const blocking = (countries: readonly string[], isTold = true) => ({ type: 'block', countries, isTold }) as const;

describe('blocked countries', () => {
  it('are recorded once each, sorted, and only where they change', () => {
    given(geoBlocks, []).when(blocking([]), CONTEXT).then([]);
    given(geoBlocks, [])
      .when(blocking(['KP', 'CU', 'KP']), CONTEXT)
      .then([blocked('CU', 'KP')]);
    given(geoBlocks, [blocked('CU', 'KP')])
      .when(blocking(['KP', 'CU']), CONTEXT)
      .then([]);
    given(geoBlocks, [blocked('CU', 'KP')])
      .when(blocking([], false), CONTEXT)
      .then([blocked()]);
  });

  it.each([
    [['kp'], true],
    [['DE', 'Germany'], true],
    [['KP'], false],
  ] as const)('%j is refused with a database: %s', (countries, isTold) => {
    given(geoBlocks, []).when(blocking(countries, isTold), CONTEXT).thenRefused('invalid_geo_config');
  });
});

describe('the countries of customers', () => {
  const countries = { countryOf: (address: string) => (address.startsWith('198.') ? 'KP' : null) };
  /** The refusal that a customer of the address meets; null for none. */
  const refusal = (address: string | null, codes: readonly string[], told: typeof countries | null = countries) => {
    try {
      new CustomerCountries(told).assertTaken(address, codes);
      return null;
    } catch (error) {
      return (error as Refusal).code;
    }
  };

  it('take everybody where none is blocked', () => {
    expect(refusal(null, [], null)).toBeNull();
  });

  it('take nobody whose address is unknown', () => {
    expect(refusal(null, ['KP'])).toBe('client_address_unavailable');
    expect(refusal('203.0.113.7', ['KP'], null)).toBe('client_address_unavailable');
  });

  it('take nobody of a blocked country, and everybody else', () => {
    expect(refusal('198.51.100.7', ['KP'])).toBe('payments_paused');
    expect(refusal('198.51.100.7', ['CU'])).toBeNull();
    expect(refusal('203.0.113.7', ['KP'])).toBeNull();
  });
});
