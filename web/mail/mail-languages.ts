import path from 'node:path';
import type customerEnglish from '../messages/mail/customers/en.json';
import type english from '../messages/mail/en.json';
import { Languages } from '../words/languages';
import { messagesIn } from '../http/message-files';

export type MailKey = keyof typeof english;
export type CustomerMailKey = keyof typeof customerEnglish;

/** The messages lie at the same place beside this file, be it built or not. */
const MESSAGES = path.join(__dirname, '..', 'messages', 'mail');

/** The languages of mails: those to accounts, their people and the operator, and those to customers. */
export class MailLanguages {
  readonly accounts = new Languages(messagesIn<MailKey>(MESSAGES));
  readonly customers = new Languages(messagesIn<CustomerMailKey>(path.join(MESSAGES, 'customers')));
}
