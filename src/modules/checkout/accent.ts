/** A brand's accent, readable as text on each surface of its theme, and under the text of a button. */
type Accents = { readonly light: string; readonly dark: string };

type Rgb = readonly [red: number, green: number, blue: number];
type Theme = { readonly surfaces: readonly string[]; readonly towards: Rgb };

const COLOR = /^#[0-9a-f]{6}$/i;
/** WCAG 2.2, success criterion 1.4.3. */
const LEAST_CONTRAST = 4.5;
const MOST = 255;
/** Steps from a colour to black, or to white. */
const STEPS = 50;

/** The colours below the accent in each theme, and the one of a button's text. The pages' tokens are the same. */
const LIGHT: Theme = { surfaces: ['#f5f4ef', '#ffffff', '#fbfaf7'], towards: [0, 0, 0] };
const DARK: Theme = { surfaces: ['#0c1210', '#141c19', '#1a2420', '#05261a'], towards: [MOST, MOST, MOST] };

/**
 * The colour as it can be read in each theme, since no colour can be read in both. Where its contrast is too small, the
 * colour is darker in the light theme, or lighter in the dark one. Null for null, and for a text that is no `#rrggbb`.
 */
export function accentsOf(color: string | null): Accents | null {
  if (color === null || !COLOR.test(color)) return null;
  return { light: readable(rgbOf(color), LIGHT), dark: readable(rgbOf(color), DARK) };
}

/** The contrast of two colours `#rrggbb` by WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [lighter, darker] = [one, other].map(each => luminance(rgbOf(each))).sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function readable(color: Rgb, { surfaces, towards }: Theme): string {
  for (let step = 0; step < STEPS; step++) {
    const mixed = textOf(color.map((part, index) => part + ((towards[index] as number) - part) * (step / STEPS)));
    if (surfaces.every(surface => contrast(mixed, surface) >= LEAST_CONTRAST)) return mixed;
  }
  return textOf(towards);
}

function rgbOf(color: string): Rgb {
  return [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb;
}

function textOf(parts: readonly number[]): string {
  return `#${parts.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map(part => {
    const share = part / MOST;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
