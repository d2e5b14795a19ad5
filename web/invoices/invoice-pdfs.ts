import { hash } from 'node:crypto';
import { BoundedMap } from '../../src/kernel/bounded-map';
import { canonicalJson, type JsonValue } from '../../src/vocabulary/json';
import type { InvoiceView } from '../../src/modules/invoices/queries/invoice-view';
import type { Language } from '../words/language';
import { InvoicePdf } from './invoice-pdf';

/** PDFs in memory, of 30 to 120 kB each: a customer who opens one again costs nothing. */
const KEPT = 64;

/** Makes the PDFs of invoices, one after the other, since each takes a turn of the process. */
export class InvoicePdfs {
  private readonly kept = new BoundedMap<string, Promise<Buffer>>(KEPT);
  private last: Promise<unknown> = Promise.resolve();

  of(view: InvoiceView, language: Language): Promise<Buffer> {
    const { nowMs: _, ...shown } = view;
    const key = hash('sha256', canonicalJson({ ...shown, language: language.code } as JsonValue));
    const kept = this.kept.get(key);
    if (kept) return kept;
    const made = this.last.then(() => new InvoicePdf(view, language).bytes());
    this.last = made.catch(() => undefined);
    this.kept.set(key, made);
    made.catch(() => this.kept.delete(key));
    return made;
  }
}
