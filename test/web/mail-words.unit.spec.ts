import { Language } from '../../web/words/language';
import { INVOICES_URL, MAIL_TEXTS } from '../support/mail-texts';
import { OTHER_MAILS, sample, SAMPLE_MAILS } from './mail-samples';
import { argumentsOf, CUSTOMER_MAIL_FILES, MAIL_FILES } from './message-files';

const OWN_KEYS = ['language.name', 'language.direction'];
const ISOLATES = /[\u2068\u2069]/g;

afterEach(() => jest.restoreAllMocks());

it('say every message, and each with its arguments and no others', () => {
  const say = jest.spyOn(Language.prototype, 'say');
  for (const mail of [...SAMPLE_MAILS, ...OTHER_MAILS]) MAIL_TEXTS.render(mail);
  const messages: Readonly<Record<string, string>> = { ...MAIL_FILES.en, ...CUSTOMER_MAIL_FILES.en };
  const said = say.mock.calls.map(([key, values]) => [key, Object.keys(values ?? {}).sort()] as const);
  const namesOf = (key: string) => [
    ...new Set(argumentsOf(messages[key] ?? '').map(argument => argument.split(':')[0])),
  ];
  expect(said.filter(([key, names]) => names.join() !== namesOf(key).join())).toEqual([]);
  const keys = new Set(said.map(([key]) => key as string));
  expect(Object.keys(messages).filter(key => !keys.has(key) && !OWN_KEYS.includes(key))).toEqual([]);
});

it.each([
  ['en', 'ltr', 'Reminder: invoice INV-000001 from Tea House', 'Amount: 29.75 EUR', 'Due: December 2, 2026'],
  ['de', 'ltr', 'Erinnerung: Rechnung INV-000001 von Tea House', 'Betrag: 29,75 EUR', 'Fällig: 2. Dezember 2026'],
  ['es', 'ltr', 'Recordatorio: factura INV-000001 de Tea House', 'Importe: 29,75 EUR', 'Vence: 2 de diciembre de 2026'],
  ['fr', 'ltr', 'Rappel : facture INV-000001 de Tea House', 'Montant : 29,75 EUR', 'Échéance : 2 décembre 2026'],
  ['ar', 'rtl', 'تذكير: الفاتورة INV-000001 من Tea House', 'المبلغ: 29.75 EUR', 'تاريخ الاستحقاق: 2 ديسمبر 2026'],
  ['zh', 'ltr', '提醒：来自 Tea House 的发票 INV-000001', '金额：29.75 EUR', '到期日：2026年12月2日'],
])('tell an invoice in %s, in the text as in the markup', (language, direction, subject, amount, due) => {
  const mail = MAIL_TEXTS.render(sample('invoice_mailed', { language, mode: 'live' }));
  expect(mail.subject.replaceAll(ISOLATES, '')).toBe(subject);
  expect(mail.text.replaceAll(ISOLATES, '').split('\n')).toEqual(expect.arrayContaining([amount, due]));
  expect(mail.html).toContain(`<html lang="${language}" dir="${direction}">`);
  expect(mail.html).toContain(`href="${INVOICES_URL}/inv_00000000000000000000000001?lang=${language}"`);
  for (const paragraph of mail.text.split('\n\n').slice(0, 2)) expect(mail.html).toContain(paragraph);
});

it.each([null, 'tlh', ''])('tell an invoice in English where the language is %j', language => {
  const english = MAIL_TEXTS.render(sample('invoice_mailed', { language: 'en' }));
  expect(MAIL_TEXTS.render(sample('invoice_mailed', { language }))).toEqual(english);
});

it('set the names and values of others apart where the writing runs from right to left', () => {
  const changes = { language: 'ar', shop: 'Tea\u2069 House', description: '\u2066Tea' };
  const { subject, text, html } = MAIL_TEXTS.render(sample('invoice_mailed', changes));
  for (const words of [subject, text]) expect(words).toContain('\u2068Tea House\u2069');
  expect(text).toContain('\u2068Tea\u2069\n');
  for (const words of [subject, text, html ?? '']) {
    const marks = words.replace(/[^\u2066-\u2069]/g, '');
    expect(marks).toMatch(/^(?:\u2068\u2069)+$/);
  }
});
