import type { Font } from 'fontkit';
import { DirectedText, type Direction } from './directed-text';
import { FEATURE_OF, fontOf, partsByFont, type FontPart, type Weight } from './font-files';
import { linesOf } from './line-breaks';

/** Parts of the size, by the font that draws most letters. */
const ASCENT = 0.928;
const LINE_HEIGHT = 1.164;
const LINE_END = '\n';
const CONTROLS = /\p{Cc}/gu;

/** `base`: the direction in which a text as a whole is read; `auto` where its first letter decides. */
type TextLook = { readonly size: number; readonly weight: Weight; readonly base: Direction | 'auto' };
type Piece = FontPart & { readonly direction: Direction; readonly width: number };
type SetLine = { readonly pieces: readonly Piece[]; readonly width: number };

/** A text as it will be drawn, in points. */
export type SetText = {
  readonly size: number;
  readonly lines: readonly SetLine[];
  readonly height: number;
  /** The direction of its first paragraph. */
  readonly direction: Direction;
};
type Place = { readonly x: number; readonly y: number; readonly width: number };

/** Sets texts of any direction and script in a document. */
export class TextSetter {
  private readonly fonts = new Map<string, Font>();
  private readonly widths = new Map<string, number>();

  constructor(private readonly document: PDFKit.PDFDocument) {}

  /** Null where no font has one of the letters. */
  set(text: string, look: TextLook, width: number): SetText | null {
    if (partsByFont(text.replaceAll(CONTROLS, ' '), look.weight) === null) return null;
    const paragraphs = text.split(LINE_END).map(each => new DirectedText(each.replaceAll(CONTROLS, ' '), look.base));
    const lines = paragraphs.flatMap(paragraph =>
      linesOf(paragraph.text, width, part => this.widthOf(part, look)).map(({ from, to }) =>
        this.lineOf(paragraph, { from, to }, look),
      ),
    );
    const { size } = look;
    return { size, lines, height: lines.length * size * LINE_HEIGHT, direction: paragraphs[0]?.direction ?? 'ltr' };
  }

  /** Draws it into the place, at its left or at its right edge. */
  draw({ lines, size }: SetText, { x, y, width }: Place, align: 'left' | 'right'): void {
    const { document } = this;
    lines.forEach((line, at) => {
      let left = align === 'left' ? x : x + width - line.width;
      const baseline = y + size * (at * LINE_HEIGHT + ASCENT);
      for (const piece of line.pieces) {
        document.font(piece.file).fontSize(size);
        const features = [FEATURE_OF[piece.direction]];
        document.text(piece.text, left, baseline, { lineBreak: false, baseline: 'alphabetic', features });
        left += piece.width;
      }
    });
  }

  private widthOf(part: string, look: TextLook): number {
    const key = JSON.stringify([part, look]);
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    const { width } = this.lineOf(new DirectedText(part, look.base), { from: 0, to: part.length }, look);
    this.widths.set(key, width);
    return width;
  }

  private lineOf(paragraph: DirectedText, { from, to }: { from: number; to: number }, look: TextLook): SetLine {
    const pieces = paragraph.runs(from, to).flatMap(({ text, direction }) => {
      const parts = partsByFont(text, look.weight) ?? [];
      const inOrder = direction === 'ltr' ? parts : parts.toReversed();
      return inOrder.map(part => ({ ...part, direction, width: this.widthOfPart(part, direction, look.size) }));
    });
    return { pieces, width: pieces.reduce((sum, piece) => sum + piece.width, 0) };
  }

  private widthOfPart({ text, file }: FontPart, direction: Direction, size: number): number {
    const font = this.fontFor(file);
    return (font.layout(text, [FEATURE_OF[direction]]).advanceWidth * size) / font.unitsPerEm;
  }

  private fontFor(file: string): Font {
    const known = this.fonts.get(file);
    if (known) return known;
    const font = fontOf(file);
    this.fonts.set(file, font);
    // The declarations of the library leave out that it takes a font of its own library.
    this.document.registerFont(file, font as unknown as Uint8Array);
    return font;
  }
}
