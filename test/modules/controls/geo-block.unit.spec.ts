import type { AccessReader } from '../../../src/kernel/access-reader';
import { CustomerCountries } from '../../../src/modules/controls/customer-countries';
import { geoBlocks } from '../../../src/modules/controls/geo-block.decider';
import type { GeoBlockEvent } from '../../../src/modules/controls/geo-block.events';
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
  const customers = (codes: readonly string[], told: typeof countries | null = countries) => {
    const document = { id: 'checkout', version: 0, body: { blocked_countries: codes, set_at: '' } };
    return new CustomerCountries({ read: () => Promise.resolve([document]) } as unknown as AccessReader, told);
  };

  it('take everybody where none is blocked', async () => {
    await expect(customers([], null).assertTaken(null)).resolves.toBeUndefined();
  });

  it('take nobody whose address is unknown', async () => {
    await expect(customers(['KP']).assertTaken(null)).rejects.toMatchObject({ code: 'client_address_unavailable' });
    const without = customers(['KP'], null).assertTaken('203.0.113.7');
    await expect(without).rejects.toMatchObject({ code: 'client_address_unavailable' });
  });

  it('take nobody of a blocked country, and everybody else', async () => {
    await expect(customers(['KP']).assertTaken('198.51.100.7')).rejects.toMatchObject({ code: 'payments_paused' });
    await expect(customers(['CU']).assertTaken('198.51.100.7')).resolves.toBeUndefined();
    await expect(customers(['KP']).assertTaken('203.0.113.7')).resolves.toBeUndefined();
  });
});
