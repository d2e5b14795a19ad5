/** The countries of client addresses. */
export interface Countries {
  /** The country's code of ISO 3166-1 alpha-2; null where nothing is known of the address. */
  countryOf(address: string): string | null;
}
