import type { DecisionContext } from '../../../src/kernel/decider';
import { invoiceSeries } from '../../../src/modules/invoices/invoice-series.decider';
import {
  invoices,
  MAILS_LIMIT,
  PAYMENTS_LIMIT,
  type InvoiceCommand,
} from '../../../src/modules/invoices/invoice.decider';
import type { InvoiceEvent } from '../../../src/modules/invoices/invoice.events';
import { isOverdue, nextDeadline } from '../../../src/modules/invoices/invoice.state';
import { given } from '../../support/given-when-then';
import { drafted, draftOf } from './invoice-terms';

const SEND = { type: 'send', waitSeconds: null } as const;
const DAY_MS = 86_400_000;
const DUE = '2026-12-01T00:00:00.000Z';
const DUE_MS = Date.parse(DUE);
const ISSUED_AT = '2026-11-20T12:00:00.000Z';
const PI = 'pi_1';
const NEXT_PI = 'pi_2';
const ADA = { name: 'Ada Byron', email: 'ada@example.com' };
const SUCCESS = 'https://tea.example/thanks';

const at = (now: number, role: 'api' | 'checkout' | 'matcher' = 'api'): DecisionContext => ({
  actor: { role, type: 'api_key', id: 'key_1' },
  now,
});
const NOW = at(Date.parse(ISSUED_AT));

const issuing = (changes: Partial<Extract<InvoiceCommand, { type: 'issue' }>> = {}): InvoiceCommand => ({
  ...{ type: 'issue', paymentIntent: PI, successUrl: SUCCESS, refusal: null },
  ...changes,
});
const issued = (payment_intent = PI): InvoiceEvent => ({
  type: 'InvoiceIssued',
  data: { payment_intent, success_url: SUCCESS, issued_at: ISSUED_AT },
});
const mailed = (kind: 'issued' | 'sent' | 'reminder', reminder_days: number | null = null): InvoiceEvent => ({
  type: 'InvoiceMailed',
  data: { kind, to: ADA.email, reminder_days },
});
const paid: InvoiceEvent = { type: 'InvoicePaid', data: { payment_intent: PI } };
const paidAgain = (payment_intent: string): InvoiceEvent => ({ type: 'InvoicePaidAgain', data: { payment_intent } });
const voided: InvoiceEvent = { type: 'InvoiceVoided', data: {} };
const overdue: InvoiceEvent = { type: 'InvoiceFellOverdue', data: { due_at: DUE } };
const voiding = (isUnderWay = false): InvoiceCommand => ({ type: 'void', isUnderWay });
const pay = (paymentIntent: string): InvoiceCommand => ({ type: 'pay', paymentIntent });

describe('a series of invoices', () => {
  const draft = draftOf();
  const allocated = (sequence: number, number: string) =>
    ({ type: 'InvoiceNumberAllocated', data: { sequence, number, invoice: `inv_${sequence}`, draft } }) as const;

  it('gives the numbers from 1 on, under the prefix of the day', () => {
    const allocate = (invoice: string, prefix: string) => ({ type: 'allocate', invoice, prefix, draft }) as const;
    given(invoiceSeries, [])
      .when(allocate('inv_1', 'INV-'), NOW)
      .then([allocated(1, 'INV-000001')]);
    given(invoiceSeries, [allocated(1, 'INV-000001')])
      .when(allocate('inv_2', '26/'), NOW)
      .then([allocated(2, '26/000002')]);
    given(invoiceSeries, [allocated(999_999, 'INV-999999')])
      .when(allocate('inv_1000000', ''), NOW)
      .then([allocated(1_000_000, '1000000')]);
  });
});

describe('an invoice', () => {
  it('is drafted once, as its series has it', () => {
    const terms = { sequence: 1, number: 'INV-000001', draft: draftOf() };
    given(invoices, []).when({ type: 'draft', terms }, NOW).then([drafted()]);
    given(invoices, [drafted()]).when({ type: 'draft', terms }, NOW).then([]);
  });

  it('does not exist before its draft', () => {
    for (const command of [issuing(), voiding(), SEND, pay(PI)] as const)
      given(invoices, []).when(command, NOW).thenRefused('resource_missing');
  });

  it('names its payment, and is mailed where its customer has an address', () => {
    given(invoices, [drafted()]).when(issuing(), NOW).then([issued()]);
    given(invoices, [drafted({ customer: { name: 'Ada', email: null } })])
      .when(issuing(), NOW)
      .then([issued()]);
    given(invoices, [drafted({ customer: ADA })])
      .when(issuing(), NOW)
      .then([issued(), mailed('issued')]);
  });

  it('is nothing that a customer can see, or issue, while it is a draft', () => {
    given(invoices, [drafted()]).when(issuing(), at(0, 'checkout')).thenRefused('resource_missing');
  });

  it('gets another payment once the last one has ended unpaid, without another mail', () => {
    const open = [drafted({ customer: ADA }), issued(), mailed('issued')];
    for (const role of ['api', 'checkout'] as const)
      given(invoices, open)
        .when(issuing({ paymentIntent: NEXT_PI }), at(NOW.now, role))
        .then([issued(NEXT_PI)]);
    for (const refusal of ['payment_underpaid', 'payment_overpaid', 'invalid_state_transition'] as const)
      given(invoices, open).when(issuing({ refusal }), NOW).thenRefused(refusal);
  });

  it('gets no further payment once it is paid or void, or has had as many as there can be', () => {
    given(invoices, [drafted(), issued(), paid]).when(issuing(), NOW).thenRefused('payment_already_paid');
    given(invoices, [drafted(), issued(), paid])
      .when(issuing({ refusal: 'payment_overpaid' }), NOW)
      .thenRefused('payment_overpaid');
    given(invoices, [drafted(), voided]).when(issuing(), NOW).thenRefused('invalid_state_transition');
    const many = Array.from({ length: PAYMENTS_LIMIT }, (_, index) => issued(`pi_${index}`));
    given(invoices, [drafted(), ...many])
      .when(issuing(), NOW)
      .thenRefused('invalid_state_transition');
  });

  it('is voided as a draft, and open while no money is on its way', () => {
    given(invoices, [drafted()]).when(voiding(), NOW).then([voided]);
    given(invoices, [drafted(), issued()]).when(voiding(), NOW).then([voided]);
    given(invoices, [drafted(), issued()]).when(voiding(true), NOW).thenRefused('invalid_state_transition');
    for (const end of [[voided], [issued(), paid]])
      given(invoices, [drafted(), ...end])
        .when(voiding(), NOW)
        .thenRefused('invalid_state_transition');
  });

  it('is paid by the first payment, and tells of each further one, once', () => {
    const open = [drafted(), issued(), issued(NEXT_PI)];
    given(invoices, open).when(pay(PI), NOW).then([paid]);
    given(invoices, [...open, paid])
      .when(pay(PI), NOW)
      .then([]);
    given(invoices, [...open, paid])
      .when(pay(NEXT_PI), NOW)
      .then([paidAgain(NEXT_PI)]);
    given(invoices, [...open, paid, paidAgain(NEXT_PI)])
      .when(pay(NEXT_PI), NOW)
      .then([]);
    given(invoices, [drafted()]).when(pay(PI), NOW).then([]);
  });

  it('stays void where money comes after all, and tells of it once', () => {
    given(invoices, [drafted(), issued(), voided])
      .when(pay(PI), NOW)
      .then([paidAgain(PI)]);
    given(invoices, [drafted(), issued(), voided, paidAgain(PI)])
      .when(pay(PI), NOW)
      .then([]);
  });

  it('is not sent while its account has mailed as often as it may, and says when it may again', () => {
    const full = { type: 'send', waitSeconds: 90 } as const;
    const open = [drafted({ customer: ADA }), issued()];
    const { retryAfterSeconds } = given(invoices, open).when(full, NOW).thenRefused('rate_limit');
    expect(retryAfterSeconds).toBe(90);
    // No wait would help an invoice that cannot be sent.
    given(invoices, [...open, voided])
      .when(full, NOW)
      .thenRefused('invalid_state_transition');
  });

  it('is sent to its customer once it is issued, as often as is decent', () => {
    const customer = ADA;
    const open = [drafted({ customer }), issued(), mailed('issued')];
    given(invoices, open)
      .when(SEND, NOW)
      .then([mailed('sent')]);
    given(invoices, [...open, paid])
      .when(SEND, NOW)
      .then([mailed('sent')]);
    const many = Array.from({ length: MAILS_LIMIT - 1 }, () => mailed('sent'));
    for (const history of [[drafted({ customer })], [drafted(), issued()], [...open, voided], [...open, ...many]])
      given(invoices, history).when(SEND, NOW).thenRefused('invalid_state_transition');
  });
});

describe('the deadlines of an invoice', () => {
  const terms = { customer: ADA, due_at: DUE, reminders: [-30, -3, 0, 7] };
  const open = [drafted(terms), issued(), mailed('issued')];
  const meet: InvoiceCommand = { type: 'meet_deadlines' };

  it('are its due date and its reminders, without those from before the issue', () => {
    expect(nextDeadline(given(invoices, open).state)).toBe('2026-11-28T00:00:00.000Z');
    expect(nextDeadline(given(invoices, [drafted(terms)]).state)).toBeNull();
    expect(nextDeadline(given(invoices, [...open, mailed('reminder', -3)]).state)).toBe(DUE);
    expect(nextDeadline(given(invoices, [...open, overdue, mailed('reminder', 0)]).state)).toBe(
      '2026-12-08T00:00:00.000Z',
    );
    expect(nextDeadline(given(invoices, [...open, overdue, mailed('reminder', 7)]).state)).toBeNull();
    expect(nextDeadline(given(invoices, [...open, paid]).state)).toBeNull();
  });

  it('are met each once', () => {
    given(invoices, open)
      .when(meet, at(DUE_MS - 3 * DAY_MS - 1))
      .then([]);
    given(invoices, open)
      .when(meet, at(DUE_MS - 3 * DAY_MS))
      .then([mailed('reminder', -3)]);
    given(invoices, [...open, mailed('reminder', -3)])
      .when(meet, at(DUE_MS))
      .then([overdue, mailed('reminder', 0)]);
    given(invoices, [...open, mailed('reminder', -3), overdue, mailed('reminder', 0)])
      .when(meet, at(DUE_MS + DAY_MS))
      .then([]);
  });

  it('that passed while nobody looked bring one reminder, the newest', () => {
    given(invoices, open)
      .when(meet, at(DUE_MS + 8 * DAY_MS))
      .then([overdue, mailed('reminder', 7)]);
  });

  it('bring no mail without an address, and nothing for what is not open', () => {
    given(invoices, [drafted({ ...terms, customer: null }), issued()])
      .when(meet, at(DUE_MS))
      .then([overdue]);
    for (const history of [[drafted(terms)], [...open, paid], [...open, voided]])
      given(invoices, history)
        .when(meet, at(DUE_MS + DAY_MS))
        .then([]);
  });

  it('leave an invoice overdue from the very moment on, while it is open', () => {
    const { state } = given(invoices, open);
    expect([isOverdue(state, DUE_MS - 1), isOverdue(state, DUE_MS)]).toEqual([false, true]);
    expect(isOverdue(given(invoices, [...open, paid]).state, DUE_MS)).toBe(false);
    expect(isOverdue(given(invoices, [drafted(), issued()]).state, DUE_MS)).toBe(false);
  });
});
