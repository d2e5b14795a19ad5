import PDFDocument from 'pdfkit';
import { dateOf } from '../../src/kernel/clock';
import type { Direction } from './directed-text';
import type { Weight } from './font-files';
import { TextSetter, type SetText } from './text-setter';

/** Points of an A4 page, of which 72 are an inch. */
const PAGE = { width: 595.28, height: 841.89, margin: 56 };
const WIDTH = PAGE.width - 2 * PAGE.margin;
/** The column of figures, and how wide it grows for a long one. */
const FIGURE_WIDTH = { least: 150, most: 280 };
const GAP = 14;
const BOTTOM = PAGE.height - PAGE.margin - 24;
const INK = '#111827';
export const FAINT = '#4b5563';
const RULE = '#d1d5db';

export type Look = {
  readonly size?: number;
  readonly weight?: Weight;
  readonly color?: string;
  readonly link?: string;
  /** A text of somebody else is read in its own direction: `inline` at the page's edge, `block` at its own. */
  readonly own?: 'inline' | 'block';
};
/** A text of a row, with its look. */
export type Said = readonly [text: string, look?: Look];
type Set = { readonly set: SetText; readonly look: Look; readonly at: 'start' | 'end'; readonly width: number };

type SheetFacts = {
  readonly title: string;
  readonly author: string;
  readonly createdMs: number;
  readonly language: string;
  /** Pages of a language that runs from right to left are mirrored. */
  readonly direction: Direction;
  /** Stands in the place of words that no font has letters for. */
  readonly unset: string;
};

/** A4 pages of rows below one another. The bytes follow from what is said alone. */
export class PdfSheet {
  private readonly document: PDFKit.PDFDocument;
  private readonly setter: TextSetter;
  private readonly chunks: Buffer[] = [];
  private y = PAGE.margin;

  constructor(private readonly facts: SheetFacts) {
    const { title, author, createdMs, language } = facts;
    this.document = new PDFDocument({
      size: 'A4',
      margin: PAGE.margin,
      bufferPages: true,
      lang: language,
      displayTitle: true,
      // Each text names its font, and a font of the library's own is not wanted.
      font: '',
      info: { Title: title, Author: author, CreationDate: dateOf(createdMs) },
    });
    this.document.on('data', (chunk: Buffer) => this.chunks.push(chunk));
    this.setter = new TextSetter(this.document);
  }

  /** Texts below one another, and one at the other edge. A row that does not fit begins a page. */
  row(start: readonly Said[], end: Said | null = null): void {
    const figure = end && this.set(end, 'end', FIGURE_WIDTH.most);
    const width = figure ? WIDTH - GAP - Math.max(FIGURE_WIDTH.least, widthOf(figure.set)) : WIDTH;
    const sets = start.map(said => this.set(said, 'start', width));
    const height = Math.max(
      sets.reduce((sum, { set }) => sum + set.height, 0),
      figure?.set.height ?? 0,
    );
    this.together(height);
    let y = this.y;
    for (const each of sets) {
      this.put(each, y);
      y += each.set.height;
    }
    if (figure) this.put(figure, this.y);
    this.y += height + 4;
  }

  fact(term: string, value: string, look: Look = {}): void {
    this.row([[term, { color: FAINT }]], [value, look]);
  }

  space(): void {
    this.y += GAP;
  }

  /** Rows of this height in all begin a page where the rest of this one is too small for them. */
  together(height: number): void {
    if (this.y + height > BOTTOM) this.turn();
  }

  rule(): void {
    const { document } = this;
    document.moveTo(PAGE.margin, this.y).lineTo(PAGE.width - PAGE.margin, this.y);
    document.lineWidth(0.5).strokeColor(RULE).stroke();
    this.y += 6;
  }

  /** The whole file. `foot` tells what stands below each page. */
  async bytes(foot: (place: { readonly page: number; readonly pages: number }) => string): Promise<Buffer> {
    const { document, chunks } = this;
    const { count: pages } = document.bufferedPageRange();
    for (let page = 0; page < pages; page++) {
      document.switchToPage(page);
      const said: Said = [foot({ page: page + 1, pages }), { size: 8, color: FAINT }];
      this.put(this.set(said, 'start', WIDTH), PAGE.height - PAGE.margin + 12);
    }
    const ended = new Promise<void>((resolve, reject) => document.once('end', resolve).once('error', reject));
    document.end();
    await ended;
    return Buffer.concat(chunks);
  }

  private turn(): void {
    this.document.addPage();
    this.y = PAGE.margin;
  }

  private set([text, look = {}]: Said, at: 'start' | 'end', width: number): Set {
    const { direction, unset } = this.facts;
    const { size = 10, weight = 'regular', own } = look;
    const base = own === undefined ? direction : 'auto';
    const set = this.setter.set(text, { size, weight, base }, width);
    if (set) return { set, look, at, width };
    const instead = this.setter.set(unset, { size, weight, base: direction }, width);
    if (!instead) throw new Error(`no font has the letters of ${unset}`);
    return { set: instead, look, at, width };
  }

  private put({ set, look, at, width }: Set, y: number): void {
    const { document, setter, facts } = this;
    const isAtLeft = (at === 'start') === ((look.own === 'block' ? set.direction : facts.direction) === 'ltr');
    const x = isAtLeft ? PAGE.margin : PAGE.width - PAGE.margin - width;
    document.fillColor(look.color ?? INK);
    setter.draw(set, { x, y, width }, isAtLeft ? 'left' : 'right');
    if (look.link === undefined) return;
    const widest = widthOf(set);
    document.link(isAtLeft ? x : x + width - widest, y, widest, set.height, look.link);
  }
}

function widthOf({ lines }: SetText): number {
  return Math.max(...lines.map(({ width }) => width));
}
