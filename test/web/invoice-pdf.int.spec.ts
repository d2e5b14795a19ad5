import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { InvoicePdf } from '../../web/invoices/invoice-pdf';
import { InvoicePdfs } from '../../web/invoices/invoice-pdfs';
import { settable } from '../../web/invoices/pdf-script';
import { Languages } from '../../web/words/languages';
import { INVOICES } from './invoice-views';
import { FILES } from './message-files';
import { textOfPdf } from './pdf-text';

const languages = new Languages(FILES);
const inLanguage = (code: string) => languages.chosen(code, undefined);
const viewOf = (name: string) => {
  const view = INVOICES[name];
  if (!view) throw new Error(`no such invoice: ${name}`);
  return view;
};
const bytesOf = (name: string, code = 'en') => new InvoicePdf(viewOf(name), inLanguage(code)).bytes();
const textOf = async (name: string, code = 'en') => textOfPdf(await bytesOf(name, code));

it.each(Object.keys(INVOICES))('%s is a PDF', async name => {
  const bytes = await bytesOf(name);
  if (process.env.LOOK) {
    mkdirSync(process.env.LOOK, { recursive: true });
    const file = `${process.env.LOOK}/${name.replaceAll(' ', '_')}`;
    writeFileSync(`${file}.pdf`, bytes);
    execFileSync('pdftoppm', ['-r', '60', '-png', `${file}.pdf`, file]);
  }
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(textOfPdf(bytes)).toContain(viewOf(name).number);
});

it('tells all that the page tells', async () => {
  const text = await textOf('an open invoice');
  for (const part of [
    'Corner Books',
    'Invoice INV-000042',
    'Please pay by',
    'Ada Byron',
    'Tea of November',
    'Green tea, 100 g',
    '3 × €12.50',
    'Discount 5%: €1.88',
    'Tax 19%: €6.77',
    '€42.39',
    'Teapot',
    '€49.00',
    '€86.50',
    '-€1.88',
    '€91.39',
    'Deliver at the back door.',
    'Ring twice.',
    'https://pay.example/invoices/inv_01kb3x5q0g7h2m9c4r8v6t1zny',
    'INV-000042, page 1 of 1',
  ])
    expect(text).toContain(part);
  expect(await textOf('a void invoice')).toContain('This invoice is void.');
  expect(await textOf('a paid invoice')).not.toContain('https://pay.example');
});

it('says so where it has no letters for some words, and shows no boxes', async () => {
  const text = await textOf('an invoice of foreign words');
  expect(text.match(/See the web page/g)).toHaveLength(3);
  expect(text).toContain('Thé vert “Ωμέγα” — чай');
  expect(text).not.toContain('绿');
});

it('is written in the languages whose letters it has, otherwise in English', async () => {
  const written: string[] = [];
  for (const code of ['en', 'de', 'es', 'fr', 'ar', 'zh']) {
    const bytes = await new InvoicePdfs().of(viewOf('an open invoice'), inLanguage(code), languages.all);
    written.push(/(?:Invoice|Rechnung|Factura|Facture) INV-000042/.exec(textOfPdf(bytes))?.[0] ?? '');
    // A missing letter would be told, and no word of ours is.
    expect(textOfPdf(bytes)).not.toMatch(/this PDF|Dieses PDF|este PDF|ce PDF/);
  }
  expect(written.map(each => each.split(' ')[0])).toEqual([
    'Invoice', 'Rechnung', 'Factura', 'Facture', 'Invoice', 'Invoice',
  ]); // prettier-ignore
});

it('is the same bytes for the same facts, and made once', async () => {
  const pdfs = new InvoicePdfs();
  const view = viewOf('a paid invoice');
  const first = await pdfs.of(view, inLanguage('en'), languages.all);
  expect(await pdfs.of({ ...view, nowMs: view.nowMs + 1 }, inLanguage('en'), languages.all)).toBe(first);
  expect((await bytesOf('a paid invoice')).equals(first)).toBe(true);
  expect(await pdfs.of({ ...view, isOverdue: true }, inLanguage('en'), languages.all)).not.toBe(first);
});

it('goes over as many pages as it needs', async () => {
  const view = viewOf('an open invoice');
  const [line] = view.draft.lines;
  if (!line) throw new Error('no line');
  const lines = Array.from({ length: 100 }, (_, at) => ({ ...line, description: `Item ${at + 1}` }));
  const long = { ...view, draft: { ...view.draft, lines, notes: 'A note.\n'.repeat(200) } };
  const text = textOfPdf(await new InvoicePdf(long, inLanguage('en')).bytes());
  for (const at of [1, 50, 100]) expect(text).toContain(`Item ${at}`);
  expect(text).toMatch(/page 1 of (\d\d?)/);
  expect(text.match(/A note\./g)).toHaveLength(200);
});

describe('a text', () => {
  const all = [{ hasGlyphForCodePoint: () => true }];
  const latin = [{ hasGlyphForCodePoint: (codePoint: number) => codePoint < 0x250 }];
  it.each([
    ['Tea', { text: 'Tea', isLeftward: false }],
    ['\u2068Tea\u2069', { text: 'Tea', isLeftward: false }],
    ['شاي أخضر', { text: 'شاي أخضر', isLeftward: true }],
    ['שלום, עולם', { text: 'שלום, עולם', isLeftward: true }],
    ['شاي 100', null],
    ['شاي ١٠٠', null],
    ['ليلى (Layla)', null],
  ])('%s is set as it is read', (text, expected) => {
    expect(settable(text, all)).toEqual(expected);
  });

  it('without letters is none', () => {
    expect(settable('绿茶', latin)).toBeNull();
    expect(settable('Thé\n', latin)).toEqual({ text: 'Thé\n', isLeftward: false });
  });
});
