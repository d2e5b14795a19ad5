import { HOUR_MS, parseIsoTime } from '../../../src/kernel/clock';
import { parseStreamName, type RecordedEvent } from '../../../src/kernel/event';
import type { Answer } from '../business';
import { byStream } from '../history';
import { idOf, paymentsOf } from './link-checks';

type Draft = {
  readonly lines: readonly Readonly<Record<string, string | number>>[];
  readonly amount_minor_units: string;
  readonly currency: string;
  readonly due_at: string | null;
};
type Numbered = { readonly sequence: number; readonly number: string; readonly draft: Draft };
type Created = {
  readonly invoice: string | null;
  readonly amount_minor_units: string;
  readonly currency: string;
};

const SEQUENCE_DIGITS = 6;
/** The service looks every few seconds at the invoices that are due. */
const PATIENCE_MS = HOUR_MS;
const SETTLED: readonly string[] = ['PaymentConfirmed', 'PaymentOverpaid'];
const UNPAID_ENDS: readonly string[] = ['PaymentCanceled', 'PaymentFailed', 'HoldRejected', 'QuoteExpired'];

/**
 * I5: the numbers of a merchant's series in a mode are gapless, unique and never used again: a number is its event's
 * revision plus one. Each number has its invoice, which keeps it, also where it is void.
 */
export function numbersWithoutGap(events: readonly RecordedEvent[]): string[] {
  const found: string[] = [];
  const allocated = new Map<string, RecordedEvent>();
  const numbers = new Set<string>();
  const drafted = byStream(events, 'invoice');
  for (const event of events) {
    const { stream, data, revision } = event;
    if (parseStreamName(stream).category !== 'invoice_series') continue;
    const { sequence, number, invoice } = data as Numbered & { readonly invoice: string };
    const where = `I5: ${stream} #${revision}`;
    if (sequence !== revision + 1) found.push(`${where} has the number ${sequence}`);
    if (!number.endsWith(String(sequence).padStart(SEQUENCE_DIGITS, '0'))) found.push(`${where} is written ${number}`);
    const place = `${stream} ${number}`;
    if (numbers.has(place)) found.push(`${where} uses ${number} again`);
    numbers.add(place);
    if (allocated.has(invoice)) found.push(`${where} gives ${invoice} a second number`);
    allocated.set(invoice, event);
    const first = drafted.get(`invoice-${invoice}`)?.[0];
    if (first?.type !== 'InvoiceDrafted' || factsOf(first) !== factsOf(event))
      found.push(`${where}: ${invoice} is not drafted as the series has it`);
  }
  for (const [stream, history] of drafted) {
    if (!allocated.has(idOf(stream))) found.push(`I5: ${stream} has no number`);
    if (history.slice(1).some(({ type }) => type === 'InvoiceDrafted')) found.push(`I5: ${stream} is drafted again`);
  }
  return found;
}

function factsOf({ data }: RecordedEvent): string {
  const { sequence, number, draft } = data as Numbered;
  return JSON.stringify([sequence, number, draft]);
}

/**
 * An invoice is paid exactly when one of its payments is settled. One payment counts, and each further one is told: all
 * of them where the invoice was void.
 */
export function paidBySettledPayments(events: readonly RecordedEvent[]): string[] {
  const invoiceOf = invoicesByPayment(events);
  const settled = new Map<string, Set<string>>();
  for (const { type, stream } of events) {
    const invoice = invoiceOf.get(idOf(stream));
    if (!SETTLED.includes(type) || invoice === undefined) continue;
    settled.set(invoice, (settled.get(invoice) ?? new Set()).add(idOf(stream)));
  }
  return [...byStream(events, 'invoice')].flatMap(([stream, history]) => {
    const found: string[] = [];
    const payments = settled.get(idOf(stream)) ?? new Set();
    const told = new Set<string>();
    let status: 'open' | 'paid' | 'void' = 'open';
    for (const { type, data, revision } of history) {
      if (type === 'InvoiceVoided') status = 'void';
      if (type !== 'InvoicePaid' && type !== 'InvoicePaidAgain') continue;
      const where = `${stream} #${revision}`;
      const { payment_intent: payment } = data as { readonly payment_intent: string };
      if (!payments.has(payment)) found.push(`${where} counts ${payment}, which is not settled for it`);
      if (told.has(payment)) found.push(`${where} tells of ${payment} once more`);
      told.add(payment);
      if (type === 'InvoicePaid' && status !== 'open') found.push(`${where} is paid, and was ${status}`);
      if (type === 'InvoicePaidAgain' && status === 'open') found.push(`${where} is paid again, and was open`);
      if (type === 'InvoicePaid') status = 'paid';
    }
    for (const payment of payments)
      if (!told.has(payment)) found.push(`${stream} does not tell that ${payment} is settled`);
    return found;
  });
}

/**
 * An invoice never has two payments at once that may be paid: each further one waits until the one before has ended
 * unpaid. None may be paid as the invoice becomes void, and none is made afterwards. Each payment is issued before it
 * is made, for the invoice's amount.
 */
export function onePaymentAtOnce(events: readonly RecordedEvent[]): string[] {
  const found: string[] = [];
  const made = paymentsOf(events);
  const drafts = new Map<string, Draft>();
  const live = new Map<string, Set<string>>();
  const closed = new Set<string>();
  const issues = new Map<string, string>();
  for (const event of events) {
    const { stream, type, data, revision } = event;
    const where = `${stream} #${revision}`;
    const id = idOf(stream);
    if (type === 'InvoiceDrafted') drafts.set(id, (data as Numbered).draft);
    if (type === 'InvoiceIssued') {
      const { payment_intent: payment } = data as { readonly payment_intent: string };
      const others = live.get(id) ?? new Set();
      if (others.size > 0) found.push(`${where} asks for ${payment} beside ${[...others].join()}`);
      if (closed.has(id)) found.push(`${where} asks for ${payment}, and was paid or void`);
      if (issues.has(payment)) found.push(`${where} issues ${payment} once more`);
      issues.set(payment, id);
      live.set(id, others.add(payment));
      found.push(...misMade(where, payment, id, drafts.get(id), made));
    }
    if (type === 'InvoicePaid' || type === 'InvoiceVoided') closed.add(id);
    const open = [...(live.get(id) ?? [])];
    if (type === 'InvoiceVoided' && open.length > 0) found.push(`${where} is void, and ${open.join()} may be paid`);
    if (type === 'PaymentIntentCreated' && (data as Created).invoice !== (issues.get(id) ?? null))
      found.push(`${where} is of ${(data as Created).invoice}, which has not issued it`);
    if (isEnd(event)) live.get(issues.get(id) ?? '')?.delete(id);
  }
  return found;
}

/** A payment whose quote has ended may be paid late: that money is the merchant's to decide on. */
function isEnd({ type, data }: RecordedEvent): boolean {
  const isRejected = type === 'ReviewResolved' && data.resolution === 'rejected';
  return isRejected || UNPAID_ENDS.includes(type) || SETTLED.includes(type);
}

function misMade(
  where: string,
  payment: string,
  invoice: string,
  draft: Draft | undefined,
  made: ReadonlyMap<string, RecordedEvent>,
): string[] {
  const created = made.get(payment)?.data as Created | undefined;
  if (!created) return [`${where}: ${payment} was never made`];
  const { invoice: named, amount_minor_units: amount, currency } = created;
  const isRight = named === invoice && amount === draft?.amount_minor_units && currency === draft.currency;
  return isRight ? [] : [`${where}: ${payment} was made with other terms`];
}

function invoicesByPayment(events: readonly RecordedEvent[]): ReadonlyMap<string, string> {
  return new Map(
    [...paymentsOf(events)].flatMap(([id, { data }]) => {
      const { invoice } = data as Created;
      return invoice === null ? [] : [[id, invoice] as const];
    }),
  );
}

/** A line is the quantity times the price, less the discount, with the tax, each rounded half up. The lines add up. */
export function figuresAddUp(events: readonly RecordedEvent[]): string[] {
  return events.flatMap(({ type, stream, revision, data }) => {
    if (type !== 'InvoiceNumberAllocated') return [];
    const { lines, amount_minor_units: amount } = (data as Numbered).draft;
    const wrong = lines.findIndex(line => amountOf(line) !== BigInt(line.amount_minor_units ?? 0));
    const sum = lines.reduce((total, line) => total + amountOf(line), 0n);
    const where = `${stream} #${revision}`;
    if (wrong >= 0) return [`${where} has a wrong line ${wrong + 1}`];
    if (BigInt(amount) <= 0n) return [`${where} is of nothing`];
    return lines.length > 0 && sum !== BigInt(amount) ? [`${where} asks for ${amount}, and its lines for ${sum}`] : [];
  });
}

function amountOf({
  quantity = 0,
  unit_amount_minor_units: unit = 0,
  discount_bps = 0,
  tax_bps = 0,
}: Draft['lines'][0]) {
  const gross = BigInt(quantity) * BigInt(unit);
  const net = gross - halfUp(gross * BigInt(discount_bps));
  return net + halfUp(net * BigInt(tax_bps));
}

/** Ten thousandths, to the next whole number. */
function halfUp(tenThousandths: bigint): bigint {
  const [whole, rest] = [tenThousandths / 10_000n, tenThousandths % 10_000n];
  return rest >= 5_000n ? whole + 1n : whole;
}

/** An invoice that is open past its due date is told to be overdue, once, and never before. */
export function overdueTold(events: readonly RecordedEvent[]): string[] {
  const endMs = Math.max(0, ...events.map(({ metadata }) => parseIsoTime(metadata.recorded_at)));
  return [...byStream(events, 'invoice')].flatMap(([stream, history]) => {
    const dueAt = (history[0]?.data as Numbered).draft.due_at;
    const told = history.filter(({ type }) => type === 'InvoiceFellOverdue');
    if (dueAt === null) return told.length > 0 ? [`${stream} is overdue, and is never due`] : [];
    const dueMs = parseIsoTime(dueAt);
    if (told.some(({ metadata }) => parseIsoTime(metadata.occurred_at) < dueMs)) return [`${stream} is overdue early`];
    if (told.length > 1) return [`${stream} is overdue ${told.length} times`];
    const isOpen = isOpenSince(history, Math.max(dueMs, endMs - PATIENCE_MS)) && dueMs < endMs - PATIENCE_MS;
    return isOpen && told.length === 0 ? [`${stream} is open past its due date, and nobody was told`] : [];
  });
}

function isOpenSince(history: readonly RecordedEvent[], timeMs: number): boolean {
  const issued = history.find(({ type }) => type === 'InvoiceIssued');
  const isClosed = history.some(({ type }) => type === 'InvoicePaid' || type === 'InvoiceVoided');
  return issued !== undefined && !isClosed && parseIsoTime(issued.metadata.recorded_at) < timeMs;
}

/** I14: every answer about a link or an invoice is in the log, whatever died since. */
export function answersAreKept(answers: readonly Answer[], events: readonly RecordedEvent[]): string[] {
  const recorded = new Set(events.map(({ stream, type }) => `${stream.slice(stream.indexOf('.') + 1)} ${type}`));
  return answers.flatMap(({ stream, event }) =>
    recorded.has(`${stream} ${event}`) ? [] : [`I14: ${stream} was answered ${event}, and has none`],
  );
}
