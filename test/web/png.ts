import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Millions of calls: here the function is found faster than among the globals of a test. */
const { abs } = Math;
const SIGNATURE_BYTES = 8;
/** A chunk's length and name before its data, and its checksum behind. */
const HEAD_BYTES = 8;
const CHECKSUM_BYTES = 4;
/** Red, green and blue, a byte each: as Chromium writes pictures of pages. */
const PIXEL_BYTES = 3;
const COLOURS = [8, 2, 0, 0, 0];
/** One byte a pixel, which numbers a colour of the palette. */
const NUMBERS = [8, 3, 0, 0, 0];

export type Pixels = {
  readonly width: number;
  readonly height: number;
  /** A number for each pixel: red, green and blue from the highest byte on. */
  readonly colours: Uint32Array;
};

/** The pixels of a picture that Chromium took. Throws Error for a PNG of another kind. */
export function readPng(png: Buffer): Pixels {
  const chunks = chunksOf(png);
  const [, header = Buffer.alloc(0)] = chunks.find(([name]) => name === 'IHDR') ?? [];
  if (!header.subarray(8).equals(Buffer.from(COLOURS))) throw new Error('a picture of another kind');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const packed = Buffer.concat(chunks.filter(([name]) => name === 'IDAT').map(([, data]) => data));
  const bytes = unfiltered(inflateSync(packed), width * PIXEL_BYTES, height);
  const colours = new Uint32Array(width * height);
  for (let at = 0, byte = 0; at < colours.length; at++, byte += PIXEL_BYTES)
    colours[at] = ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0);
  return { width, height, colours };
}

/** A picture whose pixels are numbers of colours in a palette. */
export function writePng(width: number, height: number, palette: readonly number[], numbers: Uint8Array): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, ...NUMBERS]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Each row begins with its filter, which is none.
  const rows = Array.from({ length: height }, (_, y) => [
    Buffer.alloc(1),
    numbers.subarray(y * width, (y + 1) * width),
  ]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(colour => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk('IDAT', deflateSync(Buffer.concat(rows.flat()), { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunksOf(png: Buffer): readonly (readonly [name: string, data: Buffer])[] {
  const chunks: [string, Buffer][] = [];
  for (let at = SIGNATURE_BYTES; at < png.length;) {
    const end = at + HEAD_BYTES + png.readUInt32BE(at);
    chunks.push([png.toString('latin1', at + 4, at + HEAD_BYTES), png.subarray(at + HEAD_BYTES, end)]);
    at = end + CHECKSUM_BYTES;
  }
  return chunks;
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** The rows' bytes, which the file holds as differences to their neighbours at the left and above. */
function unfiltered(filtered: Buffer, rowBytes: number, height: number): Buffer {
  const bytes = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const filter = filtered[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x;
      const left = x < PIXEL_BYTES ? 0 : (bytes[at - PIXEL_BYTES] ?? 0);
      const above = bytes[at - rowBytes] ?? 0;
      const corner = x < PIXEL_BYTES ? 0 : (bytes[at - rowBytes - PIXEL_BYTES] ?? 0);
      bytes[at] = (filtered[at + y + 1] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return bytes;
}

/** The byte that a row's filter expects, by its number in the standard of PNG. */
function predicted(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4:
      return nearest(left, above, corner);
    default:
      return 0;
  }
}

/** Paeth's predictor. */
function nearest(left: number, above: number, corner: number): number {
  const [fromLeft, fromAbove, fromCorner] = [above - corner, left - corner, left + above - 2 * corner];
  if (abs(fromLeft) <= abs(fromAbove) && abs(fromLeft) <= abs(fromCorner)) return left;
  return abs(fromAbove) <= abs(fromCorner) ? above : corner;
}
