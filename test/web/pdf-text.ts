import { inflateSync } from 'node:zlib';

const STREAM = /(\d+) 0 obj\n<<((?:(?!endobj)[\s\S])*?)>>\nstream\n/g;
const SHOWN = /\[((?:<[0-9a-f]*>|[-\d.\s]+)+)\] TJ|\/(F\d+) [\d.]+ Tf|ET/g;

type Streams = ReadonlyMap<string, string>;

/** The text of a PDF of the library that the service uses: the lines of each page, in the order of their drawing. */
export function textOfPdf(pdf: Buffer): string {
  const raw = pdf.toString('latin1');
  const streams = streamsOf(pdf, raw);
  const letters = lettersOf(raw, streams);
  const pages = [...raw.matchAll(/\/Type \/Page\b[\s\S]*?\/Contents (\d+) 0 R/g)].map(([, id]) => id as string);
  return pages.map(id => shownIn(streams.get(id) ?? '', letters)).join('\n');
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

/** The characters of each font's glyphs, by the font's name. */
function lettersOf(raw: string, streams: Streams): ReadonlyMap<string, readonly string[]> {
  const letters = new Map<string, readonly string[]>();
  for (const [, name, id] of raw.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const font = new RegExp(`\\n${id} 0 obj\\n([\\s\\S]*?)endobj`).exec(raw)?.[1] ?? '';
    const map = streams.get(/\/ToUnicode (\d+) 0 R/.exec(font)?.[1] ?? '') ?? '';
    letters.set(name as string, charactersIn(map));
  }
  return letters;
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

function shownIn(content: string, letters: ReadonlyMap<string, readonly string[]>): string {
  let font: readonly string[] = [];
  let text = '';
  for (const [whole, shown, name] of content.matchAll(SHOWN)) {
    if (name !== undefined) font = letters.get(name) ?? [];
    else if (whole === 'ET') text += '\n';
    else
      for (const [, codes] of (shown ?? '').matchAll(/<([0-9a-f]*)>/g))
        for (const code of (codes ?? '').match(/.{4}/g) ?? []) text += font[Number.parseInt(code, 16)] ?? '�';
  }
  return text;
}
