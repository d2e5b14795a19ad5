import path from 'node:path';
import IntlMessageFormat from 'intl-messageformat';
import type { MessageKey, Messages } from '../../web/words/language';
import { messagesIn } from '../../web/http/message-files';

const FOLDER = path.join(__dirname, '../../web/messages');
const STRETCH = 0.4;
const WORD = /\p{L}+/gu;
const BRACES = /[{}]/;
const PARTS = /([{}])/;

/** The messages of pages in all languages as they stand in the source, by the language's code. */
export const FILES = messagesIn(FOLDER);
/** The messages of mails to accounts, their people and the operator, and of mails to customers. */
export const MAIL_FILES = messagesIn<string>(path.join(FOLDER, 'mail'));
export const CUSTOMER_MAIL_FILES = messagesIn<string>(path.join(FOLDER, 'mail/customers'));
export const ENGLISH = FILES.en as Messages;
export const KEYS = Object.keys(ENGLISH) as MessageKey[];

type Ast = ReturnType<IntlMessageFormat['getAst']>;
type Element = Ast[number];
type Plural = Extract<Element, { pluralType?: unknown }>;

/** The parts of a message, those of its plurals' branches too. Throws SyntaxError where it is no ICU message. */
export function partsOf(message: string): readonly Element[] {
  const format = new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true });
  return flat(format.getAst());
}

function flat(ast: Ast): readonly Element[] {
  return ast.flatMap(element =>
    'options' in element ? [element, ...Object.values(element.options).flatMap(({ value }) => flat(value))] : [element],
  );
}

const KINDS: Readonly<Record<number, string>> = { 1: 'text', 2: 'number', 5: 'choice', 6: 'number' };

/** The message's arguments with what each of them takes, such as `count: number`. */
export function argumentsOf(message: string): readonly string[] {
  const named = partsOf(message).flatMap(part =>
    part.type === 0 || part.type === 7 ? [] : [`${part.value}: ${KINDS[part.type] ?? 'unknown'}`],
  );
  return [...new Set(named)].sort();
}

export function pluralsOf(message: string): readonly Plural[] {
  return partsOf(message).filter((part): part is Plural => part.type === 6);
}

/** English with each word about 40 percent longer, between brackets that show where a message begins and ends. */
export function stretched(): Messages {
  return Object.fromEntries(
    KEYS.map(key => [key, key.startsWith('language.') ? ENGLISH[key] : `⟦${longer(ENGLISH[key])}⟧`]),
  ) as Messages;
}

/** Braces stand around arguments, and inside of those around the branches of plurals, which are words again. */
function longer(message: string): string {
  let depth = 0;
  return message
    .split(PARTS)
    .map(part => {
      if (BRACES.test(part)) depth += part === '{' ? 1 : -1;
      return depth % 2 === 0 ? part.replace(WORD, word => word + 'ö'.repeat(Math.ceil(word.length * STRETCH))) : part;
    })
    .join('');
}
