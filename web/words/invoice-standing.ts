import { parseIsoTime } from '../../src/kernel/clock';
import type { InvoiceView } from '../../src/modules/invoices/queries/invoice-view';
import { isolated } from '../parts/isolate';
import type { Language } from './language';

/** How an invoice stands at a glance. */
export type Tone = 'open' | 'overdue' | 'paid' | 'void';

/** Money that is under way, or has come in part, is told and does not frighten. */
export function toneOf({ status, paying, isOverdue }: InvoiceView): Tone {
  if (status !== 'open') return status;
  return isOverdue && (paying === 'go_on' || paying === 'anew') ? 'overdue' : 'open';
}

/** How the invoice stands, in one sentence: on the page and in the PDF. */
export function standingOf(view: InvoiceView, language: Language): string {
  const { draft, status, paidAt, paying, isOverdue } = view;
  const day = (at: string) => ({ date: isolated(language.day(parseIsoTime(at), draft.time_zone)) });
  if (status === 'void') return language.say('invoice.void');
  if (status === 'paid') return language.say('invoice.paid', day(paidAt ?? ''));
  if (paying === 'under_way') return language.say('invoice.under_way');
  if (paying === 'part_paid') return language.say('invoice.part_paid');
  if (draft.due_at === null) return language.say('invoice.open');
  return language.say(isOverdue ? 'invoice.overdue' : 'invoice.open_due', day(draft.due_at));
}
