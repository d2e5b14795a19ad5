import type { Countries } from '../../kernel/ports/countries';
import { refuse } from '../../vocabulary/errors';

/** Keeps customers of blocked countries from beginning payments. Payments under way are carried on. */
export class CustomerCountries {
  /** Null where the service has no database of countries. */
  constructor(private readonly countries: Countries | null) {}

  get areTold(): boolean {
    return this.countries !== null;
  }

  /**
   * Throws Refusal client_address_unavailable where countries are blocked and the address, or every address's country,
   * is unknown. Throws payments_paused to a blocked country. An address of no country is not in a blocked one.
   */
  assertTaken(address: string | null, blocked: readonly string[]): void {
    if (blocked.length === 0) return;
    if (address === null || this.countries === null) throw refuse('client_address_unavailable');
    const country = this.countries.countryOf(address);
    if (country !== null && blocked.includes(country)) throw refuse('payments_paused');
  }
}
