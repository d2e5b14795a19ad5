import type { MailFacts, MailName } from '../../src/modules/outbox/mail-kinds';
import type { Language } from '../words/language';
import type { Letter } from './letter.page';

/** Ends of lines, behind which a text would go on as a line of the message. */
const ENDS = /[\p{Cc}\u2028\u2029]+/gu;
/** Marks that turn the direction of all that follows. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;
/** Marks of direction that no message uses. Messages set names apart by the other marks, and close each of them. */
const OPEN_DIRECTIONS = /[\u202a-\u202e]/g;
const NAME_LENGTH = 120;

/** The addresses that mails lead to. */
export type MailLinks = {
  readonly dashboardUrl: string;
  readonly consoleUrl: string;
  /** An invoice's page is `{invoicesUrl}/{id}`. */
  readonly invoicesUrl: string;
};

/** The letters of some kinds, by kind, in a language that has the messages of these kinds. */
export type Letters<Name extends MailName, Key extends string> = {
  readonly [Each in Name]: (facts: MailFacts[Each], language: Language<Key>, links: MailLinks) => Letter;
};

/** The same letter, none of whose values begins a line of its own, or turns the direction of the text around. */
export function withoutForgedLines({ subject, before, facts, after, action }: Letter): Letter {
  return {
    subject: unbroken(subject),
    before: before.map(unbroken),
    facts: facts.map(([label, value]) => [label, onOneLine(value)]),
    after: after.map(unbroken),
    action,
  };
}

/** The letter for programs that show no markup: one line a paragraph and a fact. */
export function plainText({ before, facts, after, action }: Letter, language: Language<'text.line'>): string {
  const line = (label: string, value: string) => language.say('text.line', { label, value });
  const parts = [
    ...before,
    ...(facts.length > 0 ? [facts.map(fact => line(...fact)).join('\n')] : []),
    ...after,
    ...(action ? [line(action.words, action.url)] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A name that somebody else has chosen, for a paragraph or a subject: shortened, and without marks of code. */
export function named(name: string): string {
  const text = onOneLine(name).replaceAll('`', '’');
  return text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH)}…` : text;
}

function onOneLine(text: string): string {
  return unbroken(text).replaceAll(DIRECTIONS, '');
}

function unbroken(text: string): string {
  return text.replaceAll(ENDS, ' ').replaceAll(OPEN_DIRECTIONS, '');
}
