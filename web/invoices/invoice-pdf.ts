import PDFDocument from 'pdfkit';
import { dateOf, parseIsoTime } from '../../src/kernel/clock';
import type { InvoiceLine } from '../../src/modules/invoices/invoice.events';
import type { InvoiceView } from '../../src/modules/invoices/queries/invoice-view';
import type { Language } from '../words/language';
import { settable, type Font } from './pdf-script';
import { standingOf } from './screens/standing';

const FONTS = {
  regular: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
};
type Weight = keyof typeof FONTS;

/** Points of an A4 page, of which 72 are an inch. */
const PAGE = { width: 595.28, height: 841.89, margin: 56 };
const WIDTH = PAGE.width - 2 * PAGE.margin;
const FIGURE_WIDTH = 150;
const GAP = 14;
const BOTTOM = PAGE.height - PAGE.margin - 24;
const INK = '#111827';
const FAINT = '#4b5563';
const RULE = '#d1d5db';

type Place = { readonly x: number; readonly y: number; readonly width: number };
type Look = {
  readonly size?: number;
  readonly weight?: Weight;
  readonly color?: string;
  readonly align?: 'left' | 'right';
  readonly link?: string;
};
/** A text of a row, with its look. */
type Said = readonly [text: string, look?: Look];

/** One invoice on A4 pages, from the same facts as its page. The bytes follow from the facts alone. */
export class InvoicePdf {
  private readonly document: PDFKit.PDFDocument;
  private readonly chunks: Buffer[] = [];
  private readonly fonts: readonly Font[];
  private y = PAGE.margin;

  constructor(
    private readonly view: InvoiceView,
    private readonly language: Language,
  ) {
    const { number, shop, issuedAt } = view;
    this.document = new PDFDocument({
      size: 'A4',
      margin: PAGE.margin,
      bufferPages: true,
      lang: language.code,
      displayTitle: true,
      font: FONTS.regular,
      info: { Title: number, Author: shop.name, CreationDate: dateOf(issuedAt === null ? 0 : parseIsoTime(issuedAt)) },
    });
    this.fonts = (['regular', 'bold'] as const).map(weight => {
      // Under another name than its file's, the library would read a font anew each time.
      this.document.font(FONTS[weight]);
      // The declarations of the library leave the font out.
      return (this.document as unknown as { readonly _font: { readonly font: Font } })._font.font;
    });
  }

  async bytes(): Promise<Buffer> {
    const { document, chunks } = this;
    const ended = new Promise<void>((resolve, reject) => document.once('end', resolve).once('error', reject));
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    this.head();
    this.lines();
    this.totals();
    this.foot();
    document.end();
    await ended;
    return Buffer.concat(chunks);
  }

  private head(): void {
    const { view, language } = this;
    const { draft, issuedAt, number, shop, mode, isOverdue } = view;
    const day = (at: string) => language.day(parseIsoTime(at), draft.time_zone);
    if (mode === 'test') this.row([[language.say('page.test_mode'), { color: FAINT, size: 9 }]]);
    this.row([[shop.name, { size: 13, weight: 'bold' }]]);
    this.row([[language.say('invoice.title', { number }), { size: 20, weight: 'bold' }]]);
    this.row([[standingOf(view, language), { weight: isOverdue ? 'bold' : 'regular' }]]);
    this.space();
    if (draft.customer !== null) this.fact(language.say('invoice.to'), draft.customer.name);
    if (draft.description !== null) this.fact(language.say('checkout.for'), draft.description);
    if (issuedAt !== null) this.fact(language.say('invoice.issued'), day(issuedAt));
    if (draft.due_at !== null) this.fact(language.say('invoice.due'), day(draft.due_at));
    this.space();
  }

  private lines(): void {
    const { language, view } = this;
    const { lines } = view.draft;
    if (lines.length === 0) return;
    const look = { color: FAINT, size: 9 };
    this.row([[language.say('invoice.line'), look]], [language.say('invoice.amount'), look]);
    this.rule();
    for (const line of lines) {
      this.row([[line.description], ...this.details(line)], [this.money(line.amount_minor_units)]);
      this.rule();
    }
  }

  private details(line: InvoiceLine): readonly Said[] {
    const { language } = this;
    const look = { color: FAINT, size: 9 };
    const share = (bps: number, amount: string) => ({ percent: language.percent(bps), amount: this.money(amount) });
    const unit = this.money(line.unit_amount_minor_units);
    const times = language.say('invoice.times', { quantity: language.count(line.quantity), unit });
    const discount = language.say('invoice.line_discount', share(line.discount_bps, line.discount_minor_units));
    const tax = language.say('invoice.line_tax', share(line.tax_bps, line.tax_minor_units));
    return [
      [times, look],
      ...(line.discount_bps > 0 ? [[discount, look] as const] : []),
      ...(line.tax_bps > 0 ? [[tax, look] as const] : []),
    ];
  }

  private totals(): void {
    const { language, view } = this;
    const { draft, url, paying } = view;
    const { discount_minor_units: discount, tax_minor_units: tax } = draft;
    this.space();
    if (discount !== '0' || tax !== '0')
      this.fact(language.say('invoice.subtotal'), this.money(draft.subtotal_minor_units));
    if (discount !== '0') this.fact(language.say('invoice.discount'), this.money(`-${discount}`));
    if (tax !== '0') this.fact(language.say('invoice.tax'), this.money(tax));
    const total: Look = { size: 13, weight: 'bold' };
    this.row([[language.say('invoice.total'), total]], [this.money(draft.amount_minor_units), total]);
    this.space();
    for (const line of draft.notes?.split('\n') ?? []) this.row([[line]]);
    this.space();
    if (paying !== null) this.row([[language.say('invoice.pdf_pay', { url }), { size: 9, link: url }]]);
  }

  /** The number and the page, below each page. */
  private foot(): void {
    const { document, language, view } = this;
    const { count: pages } = document.bufferedPageRange();
    for (let page = 0; page < pages; page++) {
      document.switchToPage(page);
      // The library begins a page for a text below the margin.
      document.page.margins.bottom = 0;
      const values = { number: view.number, page: page + 1, pages };
      const place = { x: PAGE.margin, y: PAGE.height - PAGE.margin + 12, width: WIDTH };
      this.put([language.say('invoice.pdf_page', values), { size: 8, color: FAINT }], place);
    }
  }

  private fact(term: string, value: string): void {
    this.row([[term, { color: FAINT }]], [value]);
  }

  /** Texts below one another, and one at the right edge. A row that does not fit begins a page. */
  private row(left: readonly Said[], right: Said | null = null): void {
    const { document } = this;
    const leftWidth = right === null ? WIDTH : WIDTH - FIGURE_WIDTH - GAP;
    const heights = left.map(said => this.height(said, leftWidth));
    const figure: Said | null = right && [right[0], { align: 'right', ...right[1] }];
    const height = Math.max(sum(heights), figure === null ? 0 : this.height(figure, FIGURE_WIDTH));
    if (this.y + height > BOTTOM) {
      document.addPage();
      this.y = PAGE.margin;
    }
    left.forEach((said, at) => {
      this.put(said, { x: PAGE.margin, y: this.y + sum(heights.slice(0, at)), width: leftWidth });
    });
    if (figure !== null)
      this.put(figure, { x: PAGE.width - PAGE.margin - FIGURE_WIDTH, y: this.y, width: FIGURE_WIDTH });
    this.y += height + 4;
  }

  private space(): void {
    this.y += GAP;
  }

  private rule(): void {
    const { document } = this;
    document.moveTo(PAGE.margin, this.y).lineTo(PAGE.width - PAGE.margin, this.y);
    document.lineWidth(0.5).strokeColor(RULE).stroke();
    this.y += 6;
  }

  private height(said: Said, width: number): number {
    const { text, options } = this.styled(said, width);
    return this.document.heightOfString(text, options);
  }

  private put(said: Said, { x, y, width }: Place): void {
    const { text, options } = this.styled(said, width);
    this.document.fillColor(said[1]?.color ?? INK).text(text, x, y, options);
  }

  /** Sets the font. Words that the PDF cannot set are told as such, and stand on the page. */
  private styled([text, look = {}]: Said, width: number) {
    const { size = 10, weight = 'regular', align = 'left', link } = look;
    const { document, fonts, language } = this;
    document.font(FONTS[weight]).fontSize(size);
    const set = settable(text, fonts) ?? { text: language.say('invoice.pdf_unset'), isLeftward: false };
    const options: PDFKit.Mixins.TextOptions = {
      width,
      align,
      // A run of such letters is set as a whole, and not word by word.
      ...(set.isLeftward && { features: ['rtla'] }),
      ...(link !== undefined && { link }),
    };
    return { text: set.text === '' ? ' ' : set.text, options };
  }

  private money(amount: string): string {
    const { currency, currency_decimals: decimals } = this.view.draft;
    return this.language.money(amount, currency, decimals);
  }

  /** Whether the fonts have the letters of a language, and set them in its direction. */
  static speaks({ name, direction }: Language): boolean {
    return direction === 'ltr' && /^\p{Script=Latin}+$/u.test(name);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}
