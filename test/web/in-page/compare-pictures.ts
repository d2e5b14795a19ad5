import type { PictureComparison } from '../picture-comparison';

/** Compares two pictures, both PNG in base64, pixel by pixel. */
interface Pictures {
  readonly before: string;
  readonly after: string;
  /** How far a channel of a pixel may be off, of 255. */
  readonly mostOff: number;
}

const OPAQUE = 255;
const PALE = 0.25;

async function pixelsOf(png: string): Promise<ImageData> {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const context = contextOf(bitmap.width, bitmap.height);
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, bitmap.width, bitmap.height);
}

function contextOf(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (!context) throw new Error('no canvas');
  return context;
}

async function pngOf(pixels: ImageData): Promise<string> {
  const context = contextOf(pixels.width, pixels.height);
  context.putImageData(pixels, 0, 0);
  const bytes = new Uint8Array(await (await context.canvas.convertToBlob()).arrayBuffer());
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
}

/** Hundreds of thousands of pixels are looked at, so the loop makes no lists. */
function isOff(before: Uint8ClampedArray, after: Uint8ClampedArray, at: number, mostOff: number): boolean {
  for (let channel = at; channel < at + 3; channel++)
    if (Math.abs((after[channel] as number) - (before[channel] as number)) > mostOff) return true;
  return false;
}

function countOff(before: ImageData, after: ImageData, mostOff: number): number {
  let off = 0;
  for (let at = 0; at < after.data.length; at += 4) if (isOff(before.data, after.data, at, mostOff)) off++;
  return off;
}

function paintOff(before: ImageData, after: ImageData, mostOff: number): ImageData {
  const painted = new ImageData(after.width, after.height);
  for (let at = 0; at < after.data.length; at += 4) {
    const pale = Array.from(after.data.subarray(at, at + 3), value => OPAQUE - (OPAQUE - value) * PALE);
    const colour = isOff(before.data, after.data, at, mostOff) ? [OPAQUE, 0, 0] : pale;
    painted.data.set([...colour, OPAQUE], at);
  }
  return painted;
}

async function comparePictures({ before, after, mostOff }: Pictures): Promise<PictureComparison> {
  const [was, is] = await Promise.all([pixelsOf(before), pixelsOf(after)]);
  if (was.width !== is.width || was.height !== is.height)
    return { sizes: `${was.width}×${was.height} became ${is.width}×${is.height}`, share: 1, difference: null };
  const off = countOff(was, is, mostOff);
  const difference = off === 0 ? null : await pngOf(paintOff(was, is, mostOff));
  return { sizes: null, share: off / (is.width * is.height), difference };
}

Object.assign(globalThis, { comparePictures });
