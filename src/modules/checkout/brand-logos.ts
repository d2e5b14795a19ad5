import type { Mode } from '../../vocabulary/modes';

export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp';

/** An image whose type was told by its content. */
export type Logo = { readonly type: LogoType; readonly bytes: Uint8Array };

/** The name under which the composition root provides the logos. */
export const BRAND_LOGOS = Symbol('BrandLogos');

/** The logos of merchants, which the service has fetched once and serves itself. */
export interface BrandLogos {
  /** The digest of the logo at the URL; null until it is fetched, which begins with the first question. */
  digestOf(mode: Mode, merchantId: string, logoUrl: string): Promise<string | null>;
  /** Null for a digest that no logo has. */
  byDigest(digest: string): Promise<Logo | null>;
}
