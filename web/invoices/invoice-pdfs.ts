import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BoundedMap } from '../../src/kernel/bounded-map';
import { canonicalJson, type JsonValue } from '../../src/vocabulary/json';
import type { InvoiceView } from '../../src/modules/invoices/queries/invoice-view';
import { refuse } from '../../src/vocabulary/errors';
import type { Language } from '../words/language';

/** PDFs in memory, of 30 to 120 kB each: a customer who opens one again costs nothing. */
const KEPT = 64;
/** One of many lines takes a quarter of a second, so further customers are asked to come again. */
const WAITING_LIMIT = 16;

/** Makes the PDFs of invoices, one after the other, since each takes a turn of the process. */
export class InvoicePdfs {
  private readonly kept = new BoundedMap<string, Promise<Buffer>>(KEPT);
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** Throws Refusal rate_limit where too many wait. */
  async of(view: InvoiceView, language: Language): Promise<Buffer> {
    const { nowMs: _, ...shown } = view;
    const key = hash('sha256', canonicalJson({ ...shown, language: language.code } as JsonValue));
    const kept = this.kept.get(key);
    if (kept) return kept;
    if (this.waiting >= WAITING_LIMIT) throw refuse('rate_limit');
    this.waiting += 1;
    const made = this.last.then(() => pdfOf(view, language));
    this.kept.set(key, made);
    this.last = made.catch(() => this.kept.delete(key)).then(() => this.goOn());
    return made;
  }

  /** Other requests have their turn before the next PDF is made. */
  private async goOn(): Promise<void> {
    this.waiting -= 1;
    await nextTurn();
  }
}

/** Most processes never make one, and the library takes a tenth of a second to load. */
async function pdfOf(view: InvoiceView, language: Language): Promise<Buffer> {
  const { InvoicePdf } = await import('./invoice-pdf.js');
  return new InvoicePdf(view, language).bytes();
}
