import { accentsOf } from '../../src/modules/checkout/accent';

/** The style of a shop's own accent, `#rrggbb`, as it can be read in each theme; null for a text that is no colour. */
export function brandStyle(color: string): string | null {
  const accents = accentsOf(color);
  if (accents === null) return null;
  // As specific as the theme's own dark colours, which stand before.
  const set = (accent: string) => `:root:root{--accent:${accent};--accent-hover:${accent}}`;
  // Paper is light in every theme.
  return `${set(accents.light)}@media screen and (prefers-color-scheme:dark){${set(accents.dark)}}`;
}
