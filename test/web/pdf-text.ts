import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';

const STREAM = /(\d+) 0 obj\n<<((?:(?!endobj)[\s\S])*?)>>\nstream\n/g;
const SHOWN = /\[((?:<[0-9a-f]*>|[-\d.\s]+)+)\] TJ|\/(F\d+) ([\d.]+) Tf|1 0 0 1 ([-\d.]+) ([-\d.]+) Tm|ET/g;
const SHIFTED = /<([0-9a-f]*)>|(-?[\d.]+)/g;

type Streams = ReadonlyMap<string, string>;
type Font = { readonly letters: readonly string[]; readonly widths: readonly number[] };
/** Letters of one font, drawn from one place of a page to the right. `y` is counted from the page's lower edge. */
export type PlacedText = { page: number; x: number; y: number; width: number; text: string };

/** `LOOK=folder` leaves the pictures of all pages in a folder, where poppler's pdftoppm is installed. */
export function lookAtPdf(name: string, pdf: Buffer): void {
  const folder = process.env.LOOK;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name.replaceAll(' ', '_'));
  writeFileSync(`${file}.pdf`, pdf);
  execFileSync('pdftoppm', ['-r', '75', '-png', `${file}.pdf`, file]);
}

/** The text of a PDF of the library that the service uses: the lines of each page, as they are seen. */
export function textOfPdf(pdf: Buffer): string {
  return seenLines(pdf).join('\n');
}

/** The texts of each line, from the left to the right; a tab stands between two that have a distance. */
export function seenLines(pdf: Buffer): readonly string[] {
  const lines = new Map<string, PlacedText[]>();
  for (const placed of placedTexts(pdf)) {
    const key = `${placed.page} ${placed.y}`;
    lines.set(key, [...(lines.get(key) ?? []), placed]);
  }
  return [...lines.values()].map(line =>
    line
      .sort((one, other) => one.x - other.x)
      .map(({ x, text }, at) => {
        const before = line[at - 1];
        return before && x - before.x - before.width > 1 ? `\t${text}` : text;
      })
      .join(''),
  );
}

/** In the order of their drawing. */
export function placedTexts(pdf: Buffer): readonly PlacedText[] {
  const raw = pdf.toString('latin1');
  const streams = streamsOf(pdf, raw);
  const fonts = fontsOf(raw, streams);
  const pages = [...raw.matchAll(/\/Type \/Page\b[\s\S]*?\/Contents (\d+) 0 R/g)].map(([, id]) => id as string);
  return pages.flatMap((id, page) => shownIn(streams.get(id) ?? '', fonts, page));
}

function streamsOf(pdf: Buffer, raw: string): Streams {
  const streams = new Map<string, string>();
  for (const { 0: head, 1: id, 2: entries, index } of raw.matchAll(STREAM)) {
    const length = Number(/\/Length (\d+)/.exec(entries ?? '')?.[1]);
    const from = index + head.length;
    const bytes = pdf.subarray(from, from + length);
    streams.set(id as string, (entries?.includes('FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1'));
  }
  return streams;
}

/** The characters and the widths of each font's glyphs, by the font's name. */
function fontsOf(raw: string, streams: Streams): ReadonlyMap<string, Font> {
  const object = (id = '') => new RegExp(`\\n${id} 0 obj\\n([\\s\\S]*?)endobj`).exec(raw)?.[1] ?? '';
  const fonts = new Map<string, Font>();
  for (const [, name, id] of raw.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const font = object(id);
    const map = streams.get(/\/ToUnicode (\d+) 0 R/.exec(font)?.[1] ?? '') ?? '';
    const descendant = object(/\/DescendantFonts \[(\d+) 0 R/.exec(font)?.[1]);
    const widths = /\/W \[0 \[([\d.\s]*)\]/.exec(descendant)?.[1] ?? '';
    fonts.set(name as string, { letters: charactersIn(map), widths: widths.split(' ').map(Number) });
  }
  return fonts;
}

function charactersIn(map: string): readonly string[] {
  return [...map.matchAll(/<[0-9a-f]+> <[0-9a-f]+> \[([^\]]*)\]/g)].flatMap(([, list]) =>
    [...(list ?? '').matchAll(/<([0-9a-f ]*)>/g)].map(([, code]) =>
      Buffer.from((code ?? '').replaceAll(' ', ''), 'hex')
        .swap16()
        .toString('utf16le'),
    ),
  );
}

function shownIn(content: string, fonts: ReadonlyMap<string, Font>, page: number): readonly PlacedText[] {
  const placed: PlacedText[] = [];
  let font: Font = { letters: [], widths: [] };
  let size = 0;
  let current: PlacedText | null = null;
  for (const [whole, shown, name, points, x, y] of content.matchAll(SHOWN)) {
    if (x !== undefined) current ??= { page, x: Number(x), y: Number(y), width: 0, text: '' };
    else if (name !== undefined) [font, size] = [fonts.get(name) ?? font, Number(points)];
    else if (whole === 'ET' && current) {
      placed.push(current);
      current = null;
    } else if (current)
      for (const [, codes, shift] of (shown ?? '').matchAll(SHIFTED)) {
        const glyphs = (codes?.match(/.{4}/g) ?? []).map(code => Number.parseInt(code, 16));
        const advance = glyphs.reduce((sum, glyph) => sum + (font.widths[glyph] ?? 0), -Number(shift ?? 0));
        current.width += (advance * size) / 1_000;
        current.text += glyphs.map(glyph => font.letters[glyph] ?? '�').join('');
      }
  }
  return placed;
}
