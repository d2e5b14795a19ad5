import type { AccessReader } from '../../kernel/access-reader';
import type { Countries } from '../../kernel/ports/countries';
import { refuse } from '../../vocabulary/errors';
import { GEO_BLOCK_ASKED } from './geo-blocks.read-model';

/** Keeps customers of blocked countries from beginning payments. Payments under way are carried on. */
export class CustomerCountries {
  constructor(
    private readonly access: Pick<AccessReader, 'read'>,
    /** Null where the service has no database of countries. */
    private readonly countries: Countries | null,
  ) {}

  get areTold(): boolean {
    return this.countries !== null;
  }

  /**
   * Throws Refusal client_address_unavailable where countries are blocked and the address, or every address's country,
   * is unknown. Throws payments_paused to a blocked country. An address of no country is not in a blocked one.
   */
  async assertTaken(address: string | null): Promise<void> {
    const [document] = await this.access.read([GEO_BLOCK_ASKED]);
    const blocked = document?.body.blocked_countries ?? [];
    if (blocked.length === 0) return;
    if (address === null || this.countries === null) throw refuse('client_address_unavailable');
    const country = this.countries.countryOf(address);
    if (country !== null && blocked.includes(country)) throw refuse('payments_paused');
  }
}
