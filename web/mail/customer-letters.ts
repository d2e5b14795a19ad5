import { parseIsoTime } from '../../src/kernel/clock';
import type { MailFacts } from '../../src/modules/outbox/mail-kinds';
import type { Language } from '../words/language';
import { named, type Letters } from './letter';
import type { CustomerMailKey } from './mail-languages';

type Facts = MailFacts['invoice_mailed'];
type Words = Language<CustomerMailKey>;

/** Mail to customers. In test mode the account itself gets it. */
export const CUSTOMER_LETTERS: Letters<'invoice_mailed', CustomerMailKey> = {
  invoice_mailed: (facts, language, { invoicesUrl }) => {
    const { mode, invoice, number, customer, description, due, isPaid } = facts;
    const { minorUnits, decimals, currency } = facts.amount;
    return {
      subject: subject(facts, language),
      before: [
        ...(mode === 'test'
          ? [language.say('invoice.test'), language.say('invoice.live_to', { address: named(facts.liveTo) })]
          : []),
        ...(customer === null ? [] : [language.say('invoice.hello', { customer: named(customer) })]),
        language.say(opening(facts), { shop: named(facts.shop) }),
      ],
      facts: [
        [language.say('invoice.number'), number],
        ...(description === null ? [] : [[language.say('invoice.for'), description] as const]),
        [language.say('invoice.amount'), `${language.plainAmount(minorUnits, decimals)} ${currency}`],
        ...(due === null ? [] : [[language.say('invoice.due'), day(due, language)] as const]),
        ...(isPaid ? [[language.say('invoice.paid'), language.say('invoice.yes')] as const] : []),
      ],
      after: [],
      action: {
        words: language.say(isPaid ? 'invoice.see' : 'invoice.pay'),
        url: `${invoicesUrl}/${invoice}?lang=${language.code}`,
      },
    };
  },
};

function subject({ mode, number, shop, isReminder }: Facts, language: Words): string {
  const key = isReminder ? 'invoice.reminder_subject' : 'invoice.subject';
  const text = language.say(key, { number, shop: named(shop) });
  return mode === 'test' ? language.say('invoice.test_subject', { subject: text }) : text;
}

function opening({ isReminder, reminderDays: days }: Facts): CustomerMailKey {
  if (!isReminder || days === null) return 'invoice.sent';
  if (days < 0) return 'invoice.due_soon';
  return days === 0 ? 'invoice.due_today' : 'invoice.overdue';
}

function day({ at, timeZone }: NonNullable<Facts['due']>, language: Words): string {
  return language.day(parseIsoTime(at), timeZone);
}
