import { parseIsoTime } from '../../src/kernel/clock';
import type { MailFacts } from '../../src/kernel/ports/mail-kinds';
import { money } from './facts-in-words';
import { named, type Letters } from './letter';

/** Mail to customers. In test mode the account itself gets it. */
export const CUSTOMER_LETTERS: Letters<'invoice_mailed'> = {
  invoice_mailed: (facts, { invoicesUrl }) => {
    const { mode, invoice, number, customer, description, due, isPaid, isReminder } = facts;
    const subject = `${isReminder ? 'Reminder: invoice' : 'Invoice'} ${number} from ${named(facts.shop)}`;
    return {
      subject: mode === 'test' ? `${subject} (test)` : subject,
      before: [
        ...(mode === 'test'
          ? ['This message is a test: no money is due.', `In live mode it goes to ${named(facts.liveTo)}.`]
          : []),
        ...(customer === null ? [] : [`Hello ${named(customer)},`]),
        opening(facts),
      ],
      facts: [
        ['Invoice', number],
        ...(description === null ? [] : [['For', description] as const]),
        ['Amount', money(facts.amount)],
        ...(due === null ? [] : [['Due', day(due)] as const]),
        ...(isPaid ? [['Paid', 'yes'] as const] : []),
      ],
      after: [],
      action: {
        words: isPaid ? 'See and print it here' : 'See, print and pay it here',
        url: `${invoicesUrl}/${invoice}`,
      },
    };
  },
};

function opening({ shop, isReminder, reminderDays: days }: MailFacts['invoice_mailed']): string {
  const name = named(shop);
  if (!isReminder || days === null) return `${name} has sent you an invoice.`;
  if (days < 0) return `The invoice from ${name} below will be due soon.`;
  if (days === 0) return `The invoice from ${name} below is due today.`;
  return `The invoice from ${name} below is overdue. If you have paid it meanwhile, there is nothing to do.`;
}

function day({ at, timeZone }: NonNullable<MailFacts['invoice_mailed']['due']>): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone }).format(parseIsoTime(at));
}
