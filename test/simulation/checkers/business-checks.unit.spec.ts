import { isoTime, MINUTE_MS } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { JsonObject } from '../../../src/vocabulary/json';
import {
  answersAreKept,
  figuresAddUp,
  numbersWithoutGap,
  onePaymentAtOnce,
  overdueTold,
  paidBySettledPayments,
} from './invoice-checks';
import { usesByTheRules } from './link-checks';

const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const END = isoTime(NOON + 10 * MINUTE_MS);

/** Stream without its mode, type, data, and the minute at which it came about. */
type Fact = readonly [stream: string, type: string, data: JsonObject, minute?: number];
type Checker = (events: readonly RecordedEvent[]) => string[];

const link = (uses: number, changes: JsonObject = {}) => ({
  kind: 'open',
  currency: 'EUR',
  amount_minor_units: null,
  min_minor_units: '500',
  max_minor_units: '900',
  max_uses: 2,
  expires_at: END,
  use_count: uses,
  deactivated_at: null,
  ...changes,
});
const created = (id: string, changes: JsonObject = {}): Fact => {
  const terms = { amount_minor_units: '500', currency: 'EUR', payment_link: null, invoice: null, restarted_from: null };
  return [`payment_intent-${id}`, 'PaymentIntentCreated', { ...terms, ...changes }];
};
const used = (uses: number, payment: string, minute = 1, amount = '500', changes: JsonObject = {}): Fact => {
  const data = { link: link(uses, changes), payment_intent: payment, amount_minor_units: amount, success_url: null };
  return ['payment_link-1', 'PaymentLinkUsed', data, minute];
};
const made: Fact = ['payment_link-1', 'PaymentLinkCreated', { link: link(0) }];
const ended = (uses: number): Fact => {
  return ['payment_link-1', 'PaymentLinkDeactivated', { link: link(uses, { deactivated_at: END }) }, 2];
};
const ofLink = (id: string, changes: JsonObject = {}) => created(id, { payment_link: '1', ...changes });

const line = { quantity: 3, unit_amount_minor_units: '167', discount_bps: 1_000, tax_bps: 1_900 };
/** 501, less 50, with 86 of tax. */
const LINES = [{ ...line, amount_minor_units: '537' }];
const draft = (changes: JsonObject = {}) => ({
  lines: LINES as readonly JsonObject[],
  amount_minor_units: '537',
  currency: 'EUR',
  due_at: END,
  ...changes,
});
const numbered = (sequence: number, changes: JsonObject = {}) => ({
  sequence,
  number: `INV-${String(sequence).padStart(6, '0')}`,
  draft: draft(),
  ...changes,
});
const allocated = (invoice: string, sequence: number, changes: JsonObject = {}): Fact => {
  return ['invoice_series-m', 'InvoiceNumberAllocated', { ...numbered(sequence, changes), invoice }];
};
const drafted = (invoice: string, sequence: number, changes: JsonObject = {}): Fact => {
  return [`invoice-${invoice}`, 'InvoiceDrafted', numbered(sequence, changes)];
};
const about = (type: string, payment: string, minute = 3): Fact => [
  'invoice-1',
  type,
  { payment_intent: payment },
  minute,
];
const ofInvoice = (id: string, changes: JsonObject = {}) =>
  created(id, { invoice: '1', amount_minor_units: '537', ...changes });
const paymentTells = (id: string, type: string, data: JsonObject = {}): Fact => [`payment_intent-${id}`, type, data, 4];
const voided: Fact = ['invoice-1', 'InvoiceVoided', {}, 5];
const overdue = (minute: number): Fact => ['invoice-1', 'InvoiceFellOverdue', { due_at: END }, minute];
const later: Fact = ['invoice-9', 'InvoiceDrafted', numbered(9, { draft: draft({ due_at: null }) }), 600];

const [DRAFT, ISSUE]: readonly Fact[][] = [
  [allocated('1', 1), drafted('1', 1)],
  [about('InvoiceIssued', 'a'), ofInvoice('a')],
] as [Fact[], Fact[]];
const OPEN = [...DRAFT, ...ISSUE];
const EXPIRED = [...OPEN, paymentTells('a', 'QuoteExpired'), about('InvoiceIssued', 'b'), ofInvoice('b')];
const PAID = [...OPEN, paymentTells('a', 'PaymentConfirmed'), about('InvoicePaid', 'a')];

/** Histories that could have happened: no checker says anything about them. */
const SOUND: Readonly<Record<string, readonly Fact[]>> = {
  'a link that is used up': [made, used(1, 'a'), ofLink('a'), used(2, 'b'), ofLink('b')],
  'a link that is used and deactivated': [made, used(1, 'a'), ofLink('a'), ended(1)],
  'a payment of a link that is started anew': [made, used(1, 'a'), ofLink('a'), ofLink('b', { restarted_from: 'a' })],
  'an invoice that is paid': [...PAID, later],
  'an invoice whose second payment pays': [
    ...EXPIRED,
    paymentTells('b', 'PaymentOverpaid'),
    about('InvoicePaid', 'b'),
    paymentTells('a', 'PaymentConfirmed'),
    about('InvoicePaidAgain', 'a'),
  ],
  'a void invoice that is paid': [
    ...OPEN,
    paymentTells('a', 'QuoteExpired'),
    voided,
    paymentTells('a', 'PaymentConfirmed'),
    about('InvoicePaidAgain', 'a'),
  ],
  'an invoice that is overdue': [...OPEN, overdue(10), later],
};

const FAULTS: readonly (readonly [name: string, checker: Checker, facts: readonly Fact[], said: string])[] = [
  ['a use over the limit', usesByTheRules, [made, ...['a', 'b', 'c'].flatMap((id, index) => [used(index + 1, id), ofLink(id)])], 'over the limit of 2'],
  ['a use at the end', usesByTheRules, [made, used(1, 'a', 10), ofLink('a')], 'a use after the end'],
  ['a use after the deactivation', usesByTheRules, [made, ended(0), used(1, 'a', 3, '500'), ofLink('a')], 'a use after the deactivation'],
  ['a use that counts twice', usesByTheRules, [made, used(2, 'a'), ofLink('a')], 'counts 2 uses, and there were 1'],
  ['a use that is not counted', usesByTheRules, [made, used(0, 'a'), ofLink('a')], 'counts 0 uses, and there were 1'],
  ['a use for less than the link takes', usesByTheRules, [made, used(1, 'a', 1, '499'), ofLink('a', { amount_minor_units: '499' })], 'a use for 499'],
  ['a use for more than the link takes', usesByTheRules, [made, used(1, 'a', 1, '901'), ofLink('a', { amount_minor_units: '901' })], 'a use for 901'],
  ['one payment of two uses', usesByTheRules, [made, used(1, 'a'), ofLink('a'), used(2, 'a')], 'opens a once more'],
  ['a use without a payment', usesByTheRules, [made, used(1, 'a')], 'a was never made'],
  ['a payment for another amount', usesByTheRules, [made, used(1, 'a'), ofLink('a', { amount_minor_units: '501' })], 'with other terms'],
  ['a payment that names another link', usesByTheRules, [made, used(1, 'a'), ofLink('a', { payment_link: '2' })], 'with other terms'],
  ['a payment that is made before its use', usesByTheRules, [made, ofLink('a'), used(1, 'a')], 'before it was counted'],
  ['a payment that is not counted', usesByTheRules, [made, ofLink('a')], 'which does not count it'],
  ['a payment that loses its link when it is started anew', usesByTheRules, [made, used(1, 'a'), ofLink('a'), created('b', { restarted_from: 'a' })], 'names another link'],
  ['a link that takes more later', usesByTheRules, [made, used(1, 'a', 1, '500', { max_uses: 3 }), ofLink('a')], 'changes the terms'],
  ['a link that is deactivated twice', usesByTheRules, [made, ended(0), ended(0)], 'deactivates the link again'],
  ['a number that is left out', numbersWithoutGap, [allocated('1', 2), drafted('1', 2)], 'has the number 2'],
  ['a number that is used again', numbersWithoutGap, [...DRAFT, allocated('2', 1), drafted('2', 1)], 'uses INV-000001 again'],
  ['a number that is written otherwise', numbersWithoutGap, [allocated('1', 1, { number: 'INV-000002' }), drafted('1', 1, { number: 'INV-000002' })], 'is written INV-000002'],
  ['an invoice with two numbers', numbersWithoutGap, [...DRAFT, allocated('1', 2)], 'a second number'],
  ['a number without an invoice', numbersWithoutGap, [allocated('1', 1)], 'not drafted as the series has it'],
  ['an invoice without a number', numbersWithoutGap, [drafted('1', 1)], 'has no number'],
  ['an invoice with another draft than its number', numbersWithoutGap, [allocated('1', 1), drafted('1', 1, { draft: draft({ currency: 'USD' }) })], 'not drafted as the series has it'],
  ['an invoice that is drafted again', numbersWithoutGap, [...DRAFT, drafted('1', 1)], 'is drafted again'],
  ['a line that is rounded down', figuresAddUp, [allocated('1', 1, { draft: draft({ lines: [{ ...line, amount_minor_units: '536' }], amount_minor_units: '536' }) })], 'a wrong line 1'],
  ['an invoice for less than its lines', figuresAddUp, [allocated('1', 1, { draft: draft({ amount_minor_units: '536' }) })], 'asks for 536, and its lines for 537'],
  ['an invoice of nothing', figuresAddUp, [allocated('1', 1, { draft: draft({ lines: [], amount_minor_units: '0' }) })], 'is of nothing'],
  ['two payments at once', onePaymentAtOnce, [...OPEN, about('InvoiceIssued', 'b'), ofInvoice('b')], 'asks for b beside a'],
  ['two payments at once after a settlement', onePaymentAtOnce, [...PAID, about('InvoiceIssued', 'b'), ofInvoice('b')], 'was paid or void'],
  ['a payment after the void', onePaymentAtOnce, [...DRAFT, voided, ...ISSUE], 'was paid or void'],
  ['a void invoice that may be paid', onePaymentAtOnce, [...OPEN, voided], 'is void, and a may be paid'],
  ['a payment that is issued and never made', onePaymentAtOnce, [...DRAFT, about('InvoiceIssued', 'a')], 'a was never made'],
  ['a payment for another amount than the invoice', onePaymentAtOnce, [...DRAFT, about('InvoiceIssued', 'a'), ofInvoice('a', { amount_minor_units: '538' })], 'with other terms'],
  ['a payment that no invoice has issued', onePaymentAtOnce, [...DRAFT, ofInvoice('a')], 'which has not issued it'],
  ['a payment that is issued twice', onePaymentAtOnce, [...EXPIRED.slice(0, -2), about('InvoiceIssued', 'a')], 'issues a once more'],
  ['a settled payment that is not told', paidBySettledPayments, [...OPEN, paymentTells('a', 'PaymentConfirmed')], 'does not tell that a is settled'],
  ['a payment that has not settled and counts', paidBySettledPayments, [...OPEN, about('InvoicePaid', 'a')], 'which is not settled for it'],
  ['two payments that count', paidBySettledPayments, [...EXPIRED, paymentTells('a', 'PaymentConfirmed'), about('InvoicePaid', 'a'), paymentTells('b', 'PaymentConfirmed'), about('InvoicePaid', 'b')], 'is paid, and was paid'],
  ['a second payment that is not told', paidBySettledPayments, [...EXPIRED, paymentTells('a', 'PaymentConfirmed'), about('InvoicePaid', 'a'), paymentTells('b', 'PaymentConfirmed')], 'does not tell that b is settled'],
  ['a payment that counts for two', paidBySettledPayments, [...PAID, about('InvoicePaidAgain', 'a')], 'tells of a once more'],
  ['a void invoice that is paid after all', paidBySettledPayments, [...OPEN, voided, paymentTells('a', 'PaymentConfirmed'), about('InvoicePaid', 'a')], 'is paid, and was void'],
  ['a first payment that is called a second one', paidBySettledPayments, [...OPEN, paymentTells('a', 'PaymentConfirmed'), about('InvoicePaidAgain', 'a')], 'is paid again, and was open'],
  ['an invoice that is overdue early', overdueTold, [...OPEN, overdue(9)], 'is overdue early'],
  ['an invoice that is overdue twice', overdueTold, [...OPEN, overdue(10), overdue(11)], 'is overdue 2 times'],
  ['an overdue invoice that nobody is told of', overdueTold, [...OPEN, later], 'nobody was told'],
  ['an answer that is lost', events => answersAreKept([{ stream: 'invoice-1', event: 'InvoiceVoided' }], events), OPEN, 'was answered InvoiceVoided, and has none'],
]; // prettier-ignore

const CHECKERS: readonly Checker[] = [
  usesByTheRules,
  figuresAddUp,
  onePaymentAtOnce,
  paidBySettledPayments,
  overdueTold,
];

it.each(Object.entries(SOUND))('%s is sound', (_name, facts) => {
  const events = logOf(facts);
  expect(CHECKERS.flatMap(checker => checker(events))).toEqual([]);
  expect(numbersWithoutGap(events).filter(said => !said.includes('invoice-9'))).toEqual([]);
});

it.each(FAULTS)('%s is found', (_name, checker, facts, said) => {
  const found = checker(logOf(facts));
  expect(found.filter(each => each.includes(said))).toHaveLength(1);
});

function logOf(facts: readonly Fact[]): readonly RecordedEvent[] {
  const revisions = new Map<string, number>();
  return facts.map(([name, type, data, minute = 0], position) => {
    const stream = `test.${name}`;
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const at = isoTime(NOON + minute * MINUTE_MS);
    return { stream, type, data, revision, position, metadata: { occurred_at: at, recorded_at: at } } as never;
  });
}
