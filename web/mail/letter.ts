import type { MailFacts, MailName } from '../../src/kernel/ports/mail-kinds';
import type { Letter } from './letter.page';

/** Ends of lines, behind which a text would go on as a line of the message. */
const ENDS = /[\p{Cc}\u2028\u2029]+/gu;
/** Marks that turn the direction of all that follows. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
const NAME_LENGTH = 120;

/** The addresses that mails lead to. */
export type MailLinks = {
  readonly dashboardUrl: string;
  /** An invoice's page is `{invoicesUrl}/{id}`. */
  readonly invoicesUrl: string;
};

/** The letters of some kinds, by kind. */
export type Letters<Name extends MailName> = {
  readonly [Each in Name]: (facts: MailFacts[Each], links: MailLinks) => Letter;
};

/** The same letter, in which no value makes a line that it does not begin, nor turns one around. */
export function withoutForgedLines({ subject, before, facts, after, action }: Letter): Letter {
  return {
    subject: onOneLine(subject),
    before: before.map(onOneLine),
    facts: facts.map(([label, value]) => [label, onOneLine(value)]),
    after: after.map(onOneLine),
    action,
  };
}

/** The letter for programs that show no markup: one line a paragraph and a fact. */
export function plainText({ before, facts, after, action }: Letter): string {
  const parts = [
    ...before,
    ...(facts.length > 0 ? [facts.map(fact => fact.join(': ')).join('\n')] : []),
    ...after,
    ...(action ? [`${action.words}: ${action.url}`] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A name that somebody else has chosen, as a part of a paragraph or a subject: it begins no code, and has an end. */
export function named(name: string): string {
  const text = onOneLine(name).replaceAll('`', '’');
  return text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH)}…` : text;
}

function onOneLine(text: string): string {
  return text.replaceAll(ENDS, ' ').replaceAll(DIRECTIONS, '');
}
