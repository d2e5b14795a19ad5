import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { MailText, MailTexts } from '../../src/kernel/ports/mail';
import type { MailKind, MailName } from '../../src/kernel/ports/mail-kinds';
import { ACCESS_LETTERS } from './access-letters';
import { CUSTOMER_LETTERS } from './customer-letters';
import { plainText, withoutForgedLines, type Letters, type MailLinks } from './letter';
import { LetterPage, type Letter } from './letter.page';
import { MONEY_LETTERS } from './money-letters';
import { OPERATOR_LETTERS } from './operator-letters';
import { PEOPLE_LETTERS } from './people-letters';

const LETTERS: Letters<MailName> = {
  ...ACCESS_LETTERS,
  ...MONEY_LETTERS,
  ...CUSTOMER_LETTERS,
  ...PEOPLE_LETTERS,
  ...OPERATOR_LETTERS,
};

export const MAIL_NAMES = Object.keys(LETTERS) as readonly MailName[];

/** The words of all mails, in English. Text and markup are made of the same letter. */
export class MailTemplates implements MailTexts {
  constructor(private readonly links: MailLinks) {}

  render({ kind, facts }: MailKind): MailText {
    const write = LETTERS[kind] as (facts: object, links: MailLinks) => Letter;
    const letter = withoutForgedLines(write(facts, this.links));
    const html = `<!doctype html>${renderToString(h(LetterPage, letter))}`;
    return { subject: letter.subject, text: plainText(letter), html };
  }
}
