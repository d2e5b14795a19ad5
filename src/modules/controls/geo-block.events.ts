/** The one stream of blocked countries. */
export const GEO_BLOCK = 'checkout';

/** Customers in these countries begin no payment from now on; none where the list is empty. */
type CountriesBlocked = {
  readonly type: 'CountriesBlocked';
  readonly data: { readonly blocked_countries: readonly string[] };
};

export type GeoBlockEvent = CountriesBlocked;
