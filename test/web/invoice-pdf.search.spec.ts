import { InvoicePdf } from '../../web/invoices/invoice-pdf';
import { InvoicePdfs } from '../../web/invoices/invoice-pdfs';
import { Languages } from '../../web/words/languages';
import { searchSize } from '../levels/search-size';
import { INVOICES } from './invoice-views';
import { FILES } from './message-files';
import { lookAtPdf, placedTexts, seenLines, textOfPdf } from './pdf-text';

const languages = new Languages(FILES);
const inLanguage = (code: string) => languages.chosen(code, undefined);
const viewOf = (name: string) => {
  const view = INVOICES[name];
  if (!view) throw new Error(`no such invoice: ${name}`);
  return view;
};
const written = (name: string, code: string) => new InvoicePdf(viewOf(name), inLanguage(code)).bytes();
const kept = new Map<string, Promise<Buffer>>();
/** Each document is written once, for all that is asked of it. */
function bytesOf(name: string, code = 'en'): Promise<Buffer> {
  const key = `${name} ${code}`;
  const bytes = kept.get(key) ?? written(name, code);
  kept.set(key, bytes);
  return bytes;
}
const textOf = async (name: string, code = 'en') => textOfPdf(await bytesOf(name, code));

/** Arabic as it is seen, from the left to the right. Two letters that make one glyph stay in their order. */
const leftward = (text: string) => (text.match(/ل[اأإآ]|./gu) ?? []).reverse().join('');

const LANGUAGES = ['en', 'ar', 'zh'];
/** So many languages of each invoice. Invoices take the languages in turn. */
const WRITTEN = searchSize('INVOICE_PDF_LANGUAGES', { small: 1, full: LANGUAGES.length });
const ALL = Object.keys(INVOICES).flatMap((name, place) =>
  LANGUAGES.map((_, turn) => LANGUAGES[(place + turn) % LANGUAGES.length] as string)
    .slice(0, WRITTEN)
    .map(code => [name, code] as const),
);

it.each(ALL)('%s is a PDF in the language %s', async (name, code) => {
  const bytes = await bytesOf(name, code);
  lookAtPdf(`${name} ${code}`, bytes);
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

it('has the letters of other languages, each line in the order in which it is seen', async () => {
  const lines = seenLines(await bytesOf('an invoice of foreign words'));
  expect(lines).toEqual(
    expect.arrayContaining([
      'Thé vert “Ωμέγα” — чай\t€49.00',
      '绿茶 100 克\t€49.00',
      `${leftward(' غرام')}١٠٠${leftward('شاي أخضر ')}\t€42.39`,
      `Billed to\t(Layla${leftward('ليلى )')}`,
    ]),
  );
  expect(lines.join()).not.toContain('See the web page');
});

it('is mirrored in Arabic: texts begin at the right, figures stand at the left', async () => {
  const bytes = await bytesOf('an open invoice', 'ar');
  expect(seenLines(bytes).map(line => line.replaceAll('\u00a0', ' '))).toEqual(
    expect.arrayContaining([
      `INV-000042${leftward('الفاتورة ')}`,
      `.2026${leftward(' ديسمبر ')}2${leftward('يرجى الدفع حتى ')}`,
      `€ 42.39\tGreen tea, 100 g`,
      `€ 12.50 × 3`,
      `€ -1.88\t${leftward('الخصومات')}`,
      `€ 1.88 :5%${leftward('خصم ')}`,
      `1${leftward(' من ')}1${leftward('، الصفحة ')}INV-000042`,
    ]),
  );
  const total = placedTexts(bytes).find(({ text }) => text.includes('91.39'));
  expect(total?.x).toBeLessThan(100);
});

it.each(ALL)('%s in %s stays inside of its margins, and nothing lies upon another thing', async (name, code) => {
  const placed = placedTexts(await bytesOf(name, code));
  expect(placed.filter(({ x, width }) => x < 55.9 || x + width > 595.28 - 55.9)).toEqual([]);
  const overlaps = placed.filter((one, at) =>
    placed
      .slice(at + 1)
      .some(
        other =>
          other.page === one.page &&
          Math.abs(other.y - one.y) < 7 &&
          other.x < one.x + one.width - 0.5 &&
          one.x < other.x + other.width - 0.5,
      ),
  );
  expect(overlaps).toEqual([]);
});

it('says so where no font has a letter, and shows no boxes', async () => {
  const view = viewOf('an open invoice');
  const thai = { ...view, draft: { ...view.draft, description: 'Tea ชา' } };
  const text = textOfPdf(await new InvoicePdf(thai, inLanguage('en')).bytes());
  expect(text.match(/See the web page/g)).toHaveLength(1);
  expect(text).not.toContain('Tea ชา');
});

it('is written in every language', async () => {
  const titles: string[] = [];
  for (const { code } of languages.all) {
    const text = textOfPdf(await new InvoicePdfs().of(viewOf('an open invoice'), inLanguage(code)));
    titles.push(/^.*INV-000042.*$/m.exec(text)?.[0] ?? '');
    expect(text).not.toContain(inLanguage(code).say('invoice.pdf_unset'));
  }
  expect(titles).toEqual([
    `INV-000042${leftward('الفاتورة ')}`,
    'Rechnung INV-000042',
    'Invoice INV-000042',
    'Factura INV-000042',
    'Facture INV-000042',
    '发票 INV-000042',
  ]);
});

it('is the same bytes for the same facts, and made once', async () => {
  const pdfs = new InvoicePdfs();
  const view = viewOf('a paid invoice');
  const first = await pdfs.of(view, inLanguage('zh'));
  expect(await pdfs.of({ ...view, nowMs: view.nowMs + 1 }, inLanguage('zh'))).toBe(first);
  expect(await pdfs.of({ ...view, isOverdue: true }, inLanguage('zh'))).not.toBe(first);
  // Documents between the two use the same fonts for other letters.
  await written('an invoice of foreign words', 'ar');
  expect((await written('a paid invoice', 'zh')).equals(first)).toBe(true);
});

it('makes one after the other, and refuses those of a crowd', async () => {
  const pdfs = new InvoicePdfs();
  const view = viewOf('a paid invoice');
  const asked = (at: number) => pdfs.of({ ...view, number: `INV-${at}` }, inLanguage('en'));
  const crowd = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => asked(at)));
  expect(crowd.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 16 }, () => 'fulfilled'),
    ...Array.from({ length: 4 }, () => 'rejected'),
  ]);
  expect(crowd.at(-1)).toMatchObject({ reason: { code: 'rate_limit' } });
  expect(textOfPdf(await asked(19))).toContain('INV-19');
});

it.each(['\u5e7a', '\u2f33'])('tells that %s was written, though another character has its glyph too', async letter => {
  const view = viewOf('an open invoice');
  const named = { ...view, draft: { ...view.draft, description: letter } };
  expect(textOfPdf(await new InvoicePdf(named, inLanguage('en')).bytes())).toContain(letter);
});

it('goes over as many pages as it needs', async () => {
  const view = viewOf('an open invoice');
  const [line] = view.draft.lines;
  if (!line) throw new Error('no line');
  const lines = Array.from({ length: 100 }, (_, at) => ({ ...line, description: `Item ${at + 1}` }));
  const long = { ...view, draft: { ...view.draft, lines, notes: 'A note.\n'.repeat(200) } };
  const bytes = await new InvoicePdf(long, inLanguage('en')).bytes();
  lookAtPdf('an invoice of many pages', bytes);
  const text = textOfPdf(bytes);
  for (const at of [1, 50, 100]) expect(text).toContain(`Item ${at}`);
  expect(text).toMatch(/page 1 of (\d\d?)/);
  expect(text.match(/A note\./g)).toHaveLength(200);
  const pageOf = (part: string) => placedTexts(bytes).find(placed => placed.text.includes(part))?.page;
  expect(pageOf('Subtotal')).toBe(pageOf('€91.39'));
});
