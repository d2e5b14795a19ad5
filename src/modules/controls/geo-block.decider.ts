import type { Aggregate } from '../../kernel/write-path';
import { isCountry } from '../../vocabulary/countries';
import { refuse } from '../../vocabulary/errors';
import type { GeoBlockEvent } from './geo-block.events';

/** The blocked countries, sorted. */
type Blocked = readonly string[];

type GeoBlockCommand = {
  readonly type: 'block';
  readonly countries: readonly string[];
  /** Whether the service can tell the country of an address. */
  readonly isTold: boolean;
};

function decide({ countries, isTold }: GeoBlockCommand, standing: Blocked): readonly GeoBlockEvent[] {
  const unknown = countries.find(code => !isCountry(code));
  if (unknown !== undefined) {
    const message = 'A country is named by its code of ISO 3166-1, two capital letters.';
    throw refuse('invalid_geo_config', { param: 'blocked_countries', message });
  }
  if (countries.length > 0 && !isTold) {
    const message = 'Without GEO_DATABASE nobody can tell the country of an address.';
    throw refuse('invalid_geo_config', { param: 'blocked_countries', message });
  }
  const blocked = [...new Set(countries)].sort();
  if (blocked.join() === standing.join()) return [];
  return [{ type: 'CountriesBlocked', data: { blocked_countries: blocked } }];
}

function evolve(_: Blocked, { data }: GeoBlockEvent): Blocked {
  return data.blocked_countries;
}

export const geoBlocks: Aggregate<Blocked, GeoBlockCommand, GeoBlockEvent> = {
  category: 'geo_block',
  notFound: null,
  initial: [],
  decide,
  evolve,
};
