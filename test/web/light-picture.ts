import { readPng, writePng } from './png';

/** Millions of calls: here the function is found faster than among the globals of a test. */
const { abs } = Math;
/** As many as a byte can number. */
const MOST_COLOURS = 256;
/** The colours of grounds, borders and shadows, which stay exactly as they are. */
const EXACT_COLOURS = 128;

/**
 * The same picture in a file of less than half the size. A page has few colours but for the edges of its letters. The
 * edges take the nearest of 256 colours, which is off by six of 255 or so.
 */
export function lightPicture(png: Buffer): Buffer {
  const { width, height, colours } = readPng(png);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byUse = [...counts].sort(([one, often], [other, oftener]) => oftener - often || one - other);
  const all = byUse.map(([colour]) => colour);
  const palette = paletteOf(all);
  const numbers = new Map(all.map(colour => [colour, nearest(palette, colour).at]));
  return writePng(
    width,
    height,
    palette,
    Uint8Array.from(colours, colour => numbers.get(colour) ?? 0),
  );
}

/** The first colours, and of the others as few as leave none further off than need be. */
function paletteOf(colours: readonly number[]): readonly number[] {
  for (let mostOff = 0; ; mostOff++) {
    const palette = colours.slice(0, EXACT_COLOURS);
    for (const colour of colours.slice(EXACT_COLOURS))
      if (palette.length <= MOST_COLOURS && nearest(palette, colour).off > mostOff) palette.push(colour);
    if (palette.length <= MOST_COLOURS) return palette;
  }
}

function nearest(palette: readonly number[], colour: number): { readonly at: number; readonly off: number } {
  let [at, off] = [0, Infinity];
  for (let index = 0; index < palette.length && off > 0; index++) {
    const distance = distanceOf(palette[index] ?? 0, colour);
    if (distance < off) [at, off] = [index, distance];
  }
  return { at, off };
}

/** By the channel that is furthest off. */
function distanceOf(one: number, other: number): number {
  const red = abs((one >> 16) - (other >> 16));
  const green = abs(((one >> 8) & 255) - ((other >> 8) & 255));
  const blue = abs((one & 255) - (other & 255));
  return red > green ? (red > blue ? red : blue) : green > blue ? green : blue;
}
