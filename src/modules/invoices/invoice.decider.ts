import { isoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { refuse, type ErrorCode } from '../../vocabulary/errors';
import type { InvoiceDrafted, InvoiceEvent, InvoiceMailed } from './invoice.events';
import { evolve, isOverdue, remindersAhead, type ExistingInvoice, type Invoice } from './invoice.state';
import { invoiceUpcasts } from './invoice.upcast';

export type InvoiceCommand =
  | { readonly type: 'draft'; readonly terms: InvoiceDrafted['data'] }
  | {
      readonly type: 'issue';
      readonly paymentIntent: string;
      readonly successUrl: string | null;
      /** The reason why the newest payment leaves no room for another one; null where it does, or there is none. */
      readonly refusal: ErrorCode | null;
    }
  /** `isUnderWay`: the newest payment may still pay the invoice. */
  | { readonly type: 'void'; readonly isUnderWay: boolean }
  | { readonly type: 'pay'; readonly paymentIntent: string }
  /** `waitSeconds`: the time until the account may mail customers again; null where it may now. */
  | { readonly type: 'send'; readonly waitSeconds: number | null }
  /** The invoice tells by itself what its time has come for. */
  | { readonly type: 'meet_deadlines' };

/** An invoice for which more payments were made has a defect; the stream stays readable. */
export const PAYMENTS_LIMIT = 500;
/** No mailbox gets more messages about one invoice. */
export const MAILS_LIMIT = 50;

function decide(command: InvoiceCommand, state: Invoice, context: DecisionContext): readonly InvoiceEvent[] {
  if (command.type === 'draft') return state.status === 'none' ? [{ type: 'InvoiceDrafted', data: command.terms }] : [];
  if (state.status === 'none') throw refuse('resource_missing');
  switch (command.type) {
    case 'issue':
      return decideIssue(command, state, context);
    case 'void':
      if (state.status === 'void' || state.status === 'paid') throw refusedIn(state, 'voided');
      if (command.isUnderWay) {
        const message = 'Money for this invoice is on its way, or has come. Look at its newest payment first.';
        throw refuse('invalid_state_transition', { message });
      }
      return [{ type: 'InvoiceVoided', data: {} }];
    case 'pay':
      return decidePay(command.paymentIntent, state);
    case 'send': {
      if (state.status === 'draft' || state.status === 'void') throw refusedIn(state, 'mailed');
      const mail = mailOf(state, 'sent');
      if (mail !== null && command.waitSeconds === null) return [mail];
      if (mail !== null) throw tooManyMails(command.waitSeconds);
      const message = 'The invoice names no e-mail address, or was mailed as often as it can be.';
      throw refuse('invalid_state_transition', { message });
    }
    case 'meet_deadlines':
      return decideDeadlines(state, context.now);
    default:
      return unreachable(command);
  }
}

function decideIssue(
  { paymentIntent, successUrl, refusal }: Extract<InvoiceCommand, { readonly type: 'issue' }>,
  state: ExistingInvoice,
  { actor, now }: DecisionContext,
): readonly InvoiceEvent[] {
  // A draft is its merchant's alone: a customer finds no such invoice.
  if (state.status === 'draft' && actor.role === 'checkout') throw refuse('resource_missing');
  if (state.status === 'void') throw refusedIn(state, 'issued');
  if (state.status === 'paid') throw refuse(refusal ?? 'payment_already_paid');
  if (refusal !== null) throw refuse(refusal);
  if (state.payments.length >= PAYMENTS_LIMIT) {
    const message = `${PAYMENTS_LIMIT} payments were made for this invoice, which is as many as there can be.`;
    throw refuse('invalid_state_transition', { message });
  }
  const data = { payment_intent: paymentIntent, success_url: successUrl, issued_at: isoTime(now) };
  const mail = state.status === 'draft' ? mailOf(state, 'issued') : null;
  return [{ type: 'InvoiceIssued', data }, ...(mail === null ? [] : [mail])];
}

function decidePay(paymentIntent: string, state: ExistingInvoice): readonly InvoiceEvent[] {
  const data = { payment_intent: paymentIntent };
  switch (state.status) {
    case 'draft':
      return [];
    case 'open':
      return [{ type: 'InvoicePaid', data }];
    case 'paid':
      if (state.paidBy === paymentIntent || state.paidAgain.includes(paymentIntent)) return [];
      return [{ type: 'InvoicePaidAgain', data }];
    case 'void':
      return state.paidAgain.includes(paymentIntent) ? [] : [{ type: 'InvoicePaidAgain', data }];
    default:
      return unreachable(state);
  }
}

/** Of several reminders whose time has come, the newest alone goes out. */
function decideDeadlines(state: ExistingInvoice, nowMs: number): readonly InvoiceEvent[] {
  if (state.status !== 'open') return [];
  const { due_at: dueAt } = state.terms.draft;
  const isNew = dueAt !== null && isOverdue(state, nowMs) && !state.isToldOverdue;
  const reminder = remindersAhead(state).findLast(({ atMs }) => atMs <= nowMs);
  const mail = reminder ? mailOf(state, 'reminder', reminder.days) : null;
  return [
    ...(isNew ? [{ type: 'InvoiceFellOverdue' as const, data: { due_at: dueAt } }] : []),
    ...(mail === null ? [] : [mail]),
  ];
}

/** Null where there is no address. Reminders are few, so the limit of mails does not hold them back. */
function mailOf(
  { terms: { draft }, mails }: ExistingInvoice,
  kind: InvoiceMailed['data']['kind'],
  days: number | null = null,
): InvoiceMailed | null {
  const to = draft.customer?.email ?? null;
  if (to === null || (kind === 'sent' && mails >= MAILS_LIMIT)) return null;
  return { type: 'InvoiceMailed', data: { kind, to, reminder_days: days } };
}

function tooManyMails(retryAfterSeconds: number | null): Error {
  const message = 'The account has mailed its customers as often as it may today.';
  return refuse('rate_limit', { message, ...(retryAfterSeconds !== null && { retryAfterSeconds }) });
}

function refusedIn({ status, terms }: ExistingInvoice, wish: string): Error {
  return refuse('invalid_state_transition', {
    message: `The invoice ${terms.number} is ${status}: it is not ${wish}.`,
  });
}

export const invoices: Aggregate<Invoice, InvoiceCommand, InvoiceEvent> = {
  category: 'invoice',
  notFound: 'resource_missing',
  initial: { status: 'none' },
  upcasts: invoiceUpcasts,
  decide,
  evolve,
};
