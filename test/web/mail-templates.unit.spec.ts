import type { MailFacts } from '../../src/modules/outbox/mail-kinds';
import { ACCESS_LETTERS } from '../../web/mail/access-letters';
import { CUSTOMER_LETTERS } from '../../web/mail/customer-letters';
import { MONEY_LETTERS } from '../../web/mail/money-letters';
import { OPERATOR_LETTERS } from '../../web/mail/operator-letters';
import { PEOPLE_LETTERS } from '../../web/mail/people-letters';
import { CONSOLE_URL, DASHBOARD_URL, INVOICES_URL, MAIL_TEXTS } from '../support/mail-texts';
import { sample, SAMPLE_MAILS } from './mail-samples';

const HOSTILE =
  '</title><img src=x onerror=alert(1)>\r\nBcc: x@example.com\nAmount: 1.00 EUR\u2028Paid: yes\u202e`end"';
const FORBIDDEN_MARKUP = /<(?:style|script|img|table|link|iframe)\b|<[^>]*\son\w+=|url\(/i;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

const shown = (html: string) =>
  html.replace(/<[^>]*>/g, ' ').replace(/&(?:amp|lt|gt|quot);/g, entity => ENTITIES[entity] ?? entity);
/** Mail to the operator has moments as the command line has them. */
const OPERATORS: readonly string[] = Object.keys(OPERATOR_LETTERS);
const linksOf = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);

/** The same facts with every text of somebody else's choice replaced. */
function hostile(facts: unknown): unknown {
  if (Array.isArray(facts)) return facts.map(hostile);
  if (typeof facts !== 'object' || facts === null) return facts;
  const chosen = [
    'shop',
    'customer',
    'description',
    'name',
    'business',
    'host',
    'why',
    'givenUpBy',
    'browser',
    'liveTo',
  ];
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, chosen.includes(name) ? HOSTILE : hostile(value)]),
  );
}

it('has a sample of each kind', () => {
  const letters = { ...ACCESS_LETTERS, ...CUSTOMER_LETTERS, ...MONEY_LETTERS, ...OPERATOR_LETTERS, ...PEOPLE_LETTERS };
  expect(SAMPLE_MAILS.map(({ kind }) => kind).sort()).toEqual(Object.keys(letters).sort());
});

describe.each(SAMPLE_MAILS)('a mail of the kind $kind', mail => {
  const { subject, text, html } = MAIL_TEXTS.render(mail);
  const document = html ?? '';

  it('says the same in text and in markup, and nothing unknown', () => {
    expect(subject).toMatch(/^\S.{5,150}$/);
    expect(`${subject}${text}${document}`).not.toMatch(/undefined|\[object|\bnull\b|NaN/);
    const words = shown(document).replace(/\s+/g, ' ');
    const paragraphs = text.split('\n').filter(line => line !== '' && !line.includes(': '));
    for (const line of paragraphs) {
      for (const part of line.split('`')) expect(words).toContain(part.trim());
    }
    for (const fact of text.split('\n').filter(line => /^[A-Z][\w ]{0,40}: \S+$/.test(line)))
      expect(words).toContain(fact.split(': ')[1]);
  });

  it('writes each moment as people do, with its zone', () => {
    expect(`${text}${shown(document)}`).not.toMatch(OPERATORS.includes(mail.kind) ? /^$/ : /\d{4}-\d\d-\d\dT/);
  });

  it('is a document in English without a style sheet, an image or a script', () => {
    expect(document).toMatch(/^<!doctype html><html lang="en" dir="ltr">/);
    expect(document).not.toMatch(FORBIDDEN_MARKUP);
    expect(document).toContain(`<title>${subject}</title>`);
  });

  it('leads to pages of the service alone, and tells the address', () => {
    const links = linksOf(document);
    for (const link of links) {
      expect([DASHBOARD_URL, CONSOLE_URL, INVOICES_URL].some(url => link?.startsWith(url))).toBe(true);
      expect(text).toContain(`: ${link}\n`);
    }
    expect(links.length).toBeLessThanOrEqual(1);
  });

  it('has neither a header, a line nor markup that somebody’s text makes', () => {
    const forged = MAIL_TEXTS.render({ kind: mail.kind, facts: hostile(mail.facts) } as typeof mail);
    expect(forged.subject).not.toMatch(/[\r\n]/);
    expect(forged.text).not.toMatch(/[\r\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    expect(forged.text).not.toMatch(/^(?:Bcc|Amount: 1\.00|Paid: yes)/m);
    expect(forged.html).not.toMatch(FORBIDDEN_MARKUP);
    expect(forged.html?.match(/<\/title>/g)).toHaveLength(1);
    const lines = (words: string) => words.split('\n').length;
    expect(lines(forged.text)).toBe(lines(text));
    const tags = (markup: string | null) => (markup?.match(/<[a-z0-9]+/g) ?? []).filter(tag => tag !== '<code');
    expect(tags(forged.html)).toEqual(tags(html));
  });
});

it.each([
  ['sign_up_link', 'open-account?token=tokenOf_32-random-bytes'],
  ['reset_link', 'new-password?token=tokenOf_32-random-bytes'],
  ['invitation', 'invitation?token=tokenOf_32-random-bytes'],
  ['account_exists', 'sign-in'],
] as const)('leads by %s to the page %s', (kind, page) => {
  expect(linksOf(MAIL_TEXTS.render(sample(kind, {})).html ?? '')).toEqual([`${DASHBOARD_URL}/${page}`]);
});

it('cuts a long name of somebody’s choice', () => {
  const { subject } = MAIL_TEXTS.render(sample('invitation', { business: 'x'.repeat(500) }));
  expect(subject).toBe(`Invitation to the account of ${'x'.repeat(120)}…`);
});

it.each([
  [{ isPaid: true }, 'See and print it here'],
  [{ customer: null, description: null, due: null }, 'See, print and pay it here'],
  [{ reminderDays: -3 }, 'will be due soon'],
  [{ reminderDays: 0 }, 'is due today'],
  [{ isReminder: false, reminderDays: null }, 'has sent you an invoice'],
] satisfies [Partial<MailFacts['invoice_mailed']>, string][])('tells an invoice with %j', (changes, words) => {
  expect(MAIL_TEXTS.render(sample('invoice_mailed', changes)).text).toContain(words);
});
