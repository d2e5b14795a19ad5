import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { MailText } from '../../src/kernel/ports/mail';
import type { MailKind, MailName, MailTexts } from '../../src/modules/outbox/mail-kinds';
import type { Language } from '../words/language';
import { ACCESS_LETTERS } from './access-letters';
import { CUSTOMER_LETTERS } from './customer-letters';
import { plainText, withoutForgedLines, type Letters, type MailLinks } from './letter';
import { LetterPage, type Letter } from './letter.page';
import { MailLanguages, type MailKey } from './mail-languages';
import { MONEY_LETTERS } from './money-letters';
import { OPERATOR_LETTERS } from './operator-letters';
import { PEOPLE_LETTERS } from './people-letters';

const ACCOUNT_LETTERS: Letters<Exclude<MailName, keyof typeof CUSTOMER_LETTERS>, MailKey> = {
  ...ACCESS_LETTERS,
  ...MONEY_LETTERS,
  ...PEOPLE_LETTERS,
  ...OPERATOR_LETTERS,
};

/** The words of all mails. Text and markup are made of the same letter, in one language. */
export class MailTemplates implements MailTexts {
  private readonly languages = new MailLanguages();

  constructor(private readonly links: MailLinks) {}

  render({ kind, facts }: MailKind): MailText {
    if (kind === 'invoice_mailed') {
      const language = this.languages.customers.chosen(facts.language ?? undefined, undefined);
      return textOf(CUSTOMER_LETTERS.invoice_mailed(facts, language, this.links), language);
    }
    const write = ACCOUNT_LETTERS[kind] as (facts: object, language: Language<MailKey>, links: MailLinks) => Letter;
    const language = this.languages.accounts.english;
    return textOf(write(facts, language, this.links), language);
  }
}

function textOf(written: Letter, language: Language<'text.line'>): MailText {
  const letter = withoutForgedLines(written);
  const html = `<!doctype html>${renderToString(h(LetterPage, { ...letter, language }))}`;
  return { subject: letter.subject, text: plainText(letter, language), html };
}
