import { parseIsoTime } from '../../src/kernel/clock';
import type { InvoiceLine } from '../../src/modules/invoices/invoice.events';
import type { InvoiceView } from '../../src/modules/invoices/queries/invoice-view';
import { isolated } from '../parts/isolate';
import { FAINT, PdfSheet, type Look, type Said } from '../pdf/pdf-sheet';
import type { Language } from '../words/language';
import { standingOf } from '../words/invoice-standing';

/** The sums and the total of an invoice, in points: they stand on one page. */
const TOTALS_HEIGHT = 72;
const SMALL: Look = { color: FAINT, size: 9 };

/** One invoice on A4 pages, from the same facts as its page. The bytes follow from the facts alone. */
export class InvoicePdf {
  private readonly sheet: PdfSheet;

  constructor(
    private readonly view: InvoiceView,
    private readonly language: Language,
  ) {
    const { number, shop, issuedAt } = view;
    this.sheet = new PdfSheet({
      title: number,
      author: shop.name,
      createdMs: issuedAt === null ? 0 : parseIsoTime(issuedAt),
      language: language.code,
      direction: language.direction,
      unset: language.say('invoice.pdf_unset'),
    });
  }

  bytes(): Promise<Buffer> {
    const { language, view } = this;
    this.head();
    this.lines();
    this.totals();
    return this.sheet.bytes(place => language.say('invoice.pdf_page', { number: isolated(view.number), ...place }));
  }

  private head(): void {
    const { view, language, sheet } = this;
    const { draft, issuedAt, number, shop, mode, isOverdue } = view;
    const day = (at: string) => language.day(parseIsoTime(at), draft.time_zone);
    if (mode === 'test') sheet.row([[language.say('page.test_mode'), SMALL]]);
    sheet.row([[shop.name, { size: 13, weight: 'bold', own: 'inline' }]]);
    sheet.row([[language.say('invoice.title', { number: isolated(number) }), { size: 20, weight: 'bold' }]]);
    sheet.row([[standingOf(view, language), { weight: isOverdue ? 'bold' : 'regular' }]]);
    sheet.space();
    if (draft.customer !== null) sheet.fact(language.say('invoice.to'), draft.customer.name, { own: 'inline' });
    if (draft.description !== null) sheet.fact(language.say('checkout.for'), draft.description, { own: 'inline' });
    if (issuedAt !== null) sheet.fact(language.say('invoice.issued'), day(issuedAt));
    if (draft.due_at !== null) sheet.fact(language.say('invoice.due'), day(draft.due_at));
    sheet.space();
  }

  private lines(): void {
    const { language, sheet, view } = this;
    const { lines } = view.draft;
    if (lines.length === 0) return;
    sheet.row([[language.say('invoice.line'), SMALL]], [language.say('invoice.amount'), SMALL]);
    sheet.rule();
    for (const line of lines) {
      const description: Said = [line.description, { own: 'inline' }];
      sheet.row([description, ...this.details(line)], [this.money(line.amount_minor_units)]);
      sheet.rule();
    }
  }

  private details(line: InvoiceLine): readonly Said[] {
    const { language } = this;
    const money = (amount: string) => isolated(this.money(amount));
    const share = (bps: number, amount: string) => ({
      percent: isolated(language.percent(bps)),
      amount: money(amount),
    });
    const quantity = isolated(language.count(line.quantity));
    const times = language.say('invoice.times', { quantity, unit: money(line.unit_amount_minor_units) });
    const discount = language.say('invoice.line_discount', share(line.discount_bps, line.discount_minor_units));
    const tax = language.say('invoice.line_tax', share(line.tax_bps, line.tax_minor_units));
    return [
      [times, SMALL],
      ...(line.discount_bps > 0 ? [[discount, SMALL] as const] : []),
      ...(line.tax_bps > 0 ? [[tax, SMALL] as const] : []),
    ];
  }

  private totals(): void {
    const { language, sheet, view } = this;
    const { draft, url, paying } = view;
    const { discount_minor_units: discount, tax_minor_units: tax } = draft;
    sheet.space();
    sheet.together(TOTALS_HEIGHT);
    if (discount !== '0' || tax !== '0')
      sheet.fact(language.say('invoice.subtotal'), this.money(draft.subtotal_minor_units));
    if (discount !== '0') sheet.fact(language.say('invoice.discount'), this.money(`-${discount}`));
    if (tax !== '0') sheet.fact(language.say('invoice.tax'), this.money(tax));
    const total: Look = { size: 13, weight: 'bold' };
    sheet.row([[language.say('invoice.total'), total]], [this.money(draft.amount_minor_units), total]);
    sheet.space();
    for (const line of draft.notes?.split('\n') ?? []) sheet.row([[line, { own: 'block' }]]);
    sheet.space();
    if (paying === null) return;
    sheet.row([[language.say('invoice.pdf_pay', { url: isolated(url) }), { size: 9, link: url }]]);
  }

  private money(amount: string): string {
    const { currency, currency_decimals: decimals } = this.view.draft;
    return this.language.money(amount, currency, decimals);
  }
}
