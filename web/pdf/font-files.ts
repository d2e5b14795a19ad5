import { readFileSync } from 'node:fs';
import path from 'node:path';
import { create, type Font, type GlyphRun } from 'fontkit';
import type { Direction } from './directed-text';

/** The package of Chinese letters lets others resolve its main file alone. */
const CHINESE = path.resolve(path.dirname(require.resolve('@embedpdf/fonts-sc')), '..', 'fonts');

/** Files of one weight. The first one that has a letter draws it. */
const FILES = {
  regular: [require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'), path.join(CHINESE, 'NotoSansHans-Regular.otf')],
  bold: [require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'), path.join(CHINESE, 'NotoSansHans-Bold.otf')],
} as const;

export type Weight = keyof typeof FILES;
/** Letters that one font draws. */
export type FontPart = { readonly text: string; readonly file: string };

/** The feature of a font that stands for a direction: the PDF's library hands on features, and no direction. */
export const FEATURE_OF = { ltr: 'ltra', rtl: 'rtla' } as const satisfies Record<Direction, string>;

/** Fonts of this process by file, four at most. Each is opened once, and a Chinese one has 8 MB. */
const opened = new Map<string, Font>();

/** Blanks and accents are drawn in the font of the letter before them. */
const FOLLOWING = /[\s\p{M}]/u;
/** Nothing is drawn for these. */
const UNSEEN = /[\p{Cf}\ufe0e\ufe0f]/u;

/** The parts of a text by their fonts; null where no font has one of the letters. */
export function partsByFont(text: string, weight: Weight): readonly FontPart[] | null {
  const parts: { text: string; file: string }[] = [];
  for (const character of text) {
    const file = fileFor(character, weight, parts.at(-1)?.file ?? null);
    if (file === null) return null;
    const part = parts.at(-1);
    if (part?.file === file) part.text += character;
    else parts.push({ text: character, file });
  }
  return parts;
}

/** A file is opened only where those before it do not have the letter. */
function fileFor(character: string, weight: Weight, before: string | null): string | null {
  const files = FILES[weight];
  if (UNSEEN.test(character)) return before ?? files[0];
  const has = (file: string) => openedFont(file).hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  if (FOLLOWING.test(character) && before !== null && has(before)) return before;
  return files.find(has) ?? null;
}

/**
 * A font for one document. Glyphs remember the characters that they were first used for, and a PDF tells these. Glyphs
 * of its own keep a document's bytes free of the documents before it.
 */
export function fontOf(file: string): Font {
  const font = openedFont(file);
  // A text is measured before it is drawn, and some stand on each line.
  const known = new Map<string, GlyphRun>();
  const layout = function (this: Font, text: string, features: readonly string[]): GlyphRun {
    const key = `${features.join()} ${text}`;
    const direction = features.includes(FEATURE_OF.rtl) ? 'rtl' : 'ltr';
    const run = known.get(key) ?? font.layout.call(this, text, features, undefined, undefined, direction);
    known.set(key, run);
    // The library scales the positions that it gets.
    const positions = run.positions.map(position => ({ ...position }));
    return { glyphs: run.glyphs, positions, advanceWidth: run.advanceWidth };
  };
  return Object.create(font, { _glyphs: { value: {} }, layout: { value: layout } }) as Font;
}

function openedFont(file: string): Font {
  const font = opened.get(file) ?? create(readFileSync(file));
  opened.set(file, font);
  return font;
}
