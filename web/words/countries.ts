import { COUNTRIES } from '../../src/vocabulary/countries';

const NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** The name of a country by its two letters. */
export function countryName(code: string): string {
  return NAMES.of(code) ?? code;
}

/** All countries by their names. */
export const COUNTRY_OPTIONS = COUNTRIES.map(value => ({ value, text: countryName(value) })).sort((one, other) =>
  one.text.localeCompare(other.text, 'en'),
);
