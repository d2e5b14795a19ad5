import { DAY_MS, isoTime, parseIsoTime } from '../../kernel/clock';
import { unreachable } from '../../kernel/invariant';
import type { InvoiceDrafted, InvoiceEvent } from './invoice.events';

/** The invoice and its mails, whatever its status. */
type Drafted = {
  readonly terms: InvoiceDrafted['data'];
  /** The payments that were made for the invoice, the newest last. */
  readonly payments: readonly string[];
  readonly mails: number;
};

/** The invoice since its issue, also where it is paid. */
type Issued = Drafted & {
  readonly issuedAt: string;
  /** The customer, and whoever asks, has been told that the invoice is overdue. */
  readonly isToldOverdue: boolean;
  /** The newest reminder that went out, by its day. */
  readonly remindedDays: number | null;
};

export type Invoice =
  | { readonly status: 'none' }
  | (Drafted & { readonly status: 'draft' })
  | (Issued & { readonly status: 'open' })
  | (Issued & { readonly status: 'paid'; readonly paidBy: string; readonly paidAgain: readonly string[] })
  | (Drafted & { readonly status: 'void'; readonly paidAgain: readonly string[] });

export type ExistingInvoice = Exclude<Invoice, { readonly status: 'none' }>;
type OpenInvoice = Extract<Invoice, { readonly status: 'open' }>;

export const INVOICE_STATUSES = ['draft', 'open', 'paid', 'void'] as const;

export function evolve(state: Invoice, event: InvoiceEvent): Invoice {
  if (event.type === 'InvoiceDrafted') return { status: 'draft', terms: event.data, payments: [], mails: 0 };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'InvoiceIssued':
      return issued(state, event.data);
    case 'InvoicePaid':
      if (state.status !== 'open') return state;
      return { ...state, status: 'paid', paidBy: event.data.payment_intent, paidAgain: [] };
    case 'InvoicePaidAgain':
      if (state.status !== 'paid' && state.status !== 'void') return state;
      return { ...state, paidAgain: [...state.paidAgain, event.data.payment_intent] };
    case 'InvoiceFellOverdue':
      return state.status === 'open' ? { ...state, isToldOverdue: true } : state;
    case 'InvoiceMailed': {
      const mails = state.mails + 1;
      const { reminder_days: days } = event.data;
      return state.status === 'open' && days !== null ? { ...state, mails, remindedDays: days } : { ...state, mails };
    }
    case 'InvoiceVoided': {
      const { terms, payments, mails } = state;
      return { status: 'void', terms, payments, mails, paidAgain: [] };
    }
    default:
      return unreachable(event);
  }
}

function issued(
  state: ExistingInvoice,
  { payment_intent: payment, issued_at: issuedAt }: Extract<InvoiceEvent, { type: 'InvoiceIssued' }>['data'],
): Invoice {
  const payments = [...state.payments, payment];
  if (state.status === 'open') return { ...state, payments };
  if (state.status !== 'draft') return state;
  const { terms, mails } = state;
  return { status: 'open', terms, mails, payments, issuedAt, isToldOverdue: false, remindedDays: null };
}

/** Whether an open invoice is past its due date. */
export function isOverdue(state: Invoice, nowMs: number): boolean {
  if (state.status !== 'open') return false;
  const { due_at: dueAt } = state.terms.draft;
  return dueAt !== null && nowMs >= parseIsoTime(dueAt);
}

type Reminder = { readonly days: number; readonly atMs: number };

/** The reminders that are still to go out, the earliest first. One whose time came before the issue never goes out. */
export function remindersAhead({ terms: { draft }, issuedAt, remindedDays }: OpenInvoice): readonly Reminder[] {
  const { due_at: dueAt, reminders, customer } = draft;
  if (dueAt === null || customer === null || customer.email === null) return [];
  const dueMs = parseIsoTime(dueAt);
  return reminders
    .map(days => ({ days, atMs: dueMs + days * DAY_MS }))
    .filter(({ days, atMs }) => atMs > parseIsoTime(issuedAt) && (remindedDays === null || days > remindedDays));
}

/** The next moment at which the invoice has something to tell by itself; null where there is none. */
export function nextDeadline(state: Invoice): string | null {
  if (state.status !== 'open') return null;
  const { due_at: dueAt } = state.terms.draft;
  const moments = remindersAhead(state).map(({ atMs }) => isoTime(atMs));
  if (dueAt !== null && !state.isToldOverdue) moments.push(dueAt);
  return moments.sort()[0] ?? null;
}
