import type { RealmName } from '../../src/vocabulary/realms';

/** The pages of one realm, as their parts tell them from those of the other. */
export type PageRealm = {
  readonly name: RealmName;
  /** The path that all of the realm's pages lie below. */
  readonly place: '/dashboard' | '/console';
  /** The name of the style in the source. */
  readonly style: string;
  readonly product: string;
  readonly icon: string;
  /** Whether strangers may ask for an account. */
  readonly takesStrangers: boolean;
};

export const MERCHANT_PAGES: PageRealm = {
  name: 'merchant',
  place: '/dashboard',
  style: 'console.css',
  product: 'Quittance',
  icon: 'receipt-text',
  takesStrangers: true,
};

export const ADMIN_PAGES: PageRealm = {
  name: 'admin',
  place: '/console',
  style: 'operators.css',
  product: 'Quittance Console',
  icon: 'shield-check',
  takesStrangers: false,
};

/** A path of one of the realms' pages, from the host on. */
export type PlacePath = `${PageRealm['place']}${string}`;
