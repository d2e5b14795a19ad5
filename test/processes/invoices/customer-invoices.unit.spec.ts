import { paymentIntentsProjection } from '../../../projections/payment-intents.projection';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { ReadModels } from '../../../src/kernel/ports/read-models';
import { applyEvents } from '../../../src/kernel/projection';
import type { InvoiceDocument } from '../../../src/modules/invoices/invoices.read-model';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import type { CustomerReads } from '../../../src/processes/customer-reads';
import { CustomerInvoices } from '../../../src/processes/invoices/customer-invoices';
import * as h from '../../modules/payment-intents/histories';
import { draftOf } from '../../modules/invoices/invoice-terms';

const PI = 'pi_00000000000000000000000001';
const NOON = Date.parse('2026-11-01T12:00:00.000Z');

/** The payment's document after a history. */
function paymentOf(history: readonly PaymentIntentEvent[]) {
  const events = history.map((event, revision) => ({
    ...event,
    id: `event ${revision}`,
    stream: `test.payment_intent-${PI}`,
    revision,
    position: revision,
    metadata: { merchant_id: 'mch_1', mode: 'test', occurred_at: new Date(NOON + revision * 1_000).toISOString() },
  })) as unknown as readonly RecordedEvent[];
  return applyEvents(paymentIntentsProjection, events, () => null).get(PI) ?? null;
}

/** How the customer of an open invoice can go on, where this is its payment. */
async function payingAt(history: readonly PaymentIntentEvent[]) {
  const terms = { sequence: 1, number: 'INV-000001', draft: draftOf() };
  const state = { status: 'open', terms, payments: [PI] };
  const body = { merchant_id: 'mch_1', mode: 'test', state, issued_at: null, paid_at: null };
  const reads = {
    find: () => Promise.resolve({ mode: 'test', body: body as unknown as InvoiceDocument }),
    shop: () => Promise.resolve({ shop: { name: 'Corner Shop', color: null, logo: null }, terms: { nowMs: NOON } }),
  } as unknown as CustomerReads;
  const readModels = { get: () => Promise.resolve(paymentOf(history)) } as unknown as ReadModels;
  return (await new CustomerInvoices(reads, readModels, 'https://pay.example').view('inv_1'))?.paying;
}

/** The terms of a form about an invoice: as its document was last written, and as it is now. */
async function termsAt(written: string, now: string) {
  const bodyOf = (status: string) => ({ state: { status } }) as unknown as InvoiceDocument;
  const reads = {
    find: () => Promise.resolve({ mode: 'test', body: bodyOf(now) }),
    termsOf: () => Promise.resolve({ body: bodyOf(written), terms: { merchantId: 'mch_1' } }),
  } as unknown as CustomerReads;
  return new CustomerInvoices(reads, { get: () => Promise.resolve(null) }, 'https://pay.example').terms('inv_1');
}

it.each([
  ['open', 'open', { merchantId: 'mch_1' }],
  ['draft', 'open', { merchantId: 'mch_1' }],
  ['draft', 'draft', null],
])('takes the form of an invoice that was written as %s and is now %s: %j', async (written, now, terms) => {
  expect(await termsAt(written, now)).toEqual(terms);
});

const { HISTORIES } = h;

it.each([
  ['created', HISTORIES.created, 'go_on'],
  ['awaiting_payment', HISTORIES.awaiting_payment, 'go_on'],
  ['detected', HISTORIES.detected, 'under_way'],
  ['confirming', HISTORIES.confirming, 'under_way'],
  ['underpaid', HISTORIES.underpaid, 'part_paid'],
  ['underpaid, and rejected', [...HISTORIES.underpaid, h.reviewRejected], 'anew'],
  ['canceled', HISTORIES.canceled, 'anew'],
  ['failed', HISTORIES.failed, 'anew'],
  ['confirmed, which the invoice has not heard of', HISTORIES.confirmed, 'under_way'],
] as const)('of a payment that is %s', async (_, history, paying) => {
  expect(await payingAt(history)).toBe(paying);
});

it('goes on with a payment that is issued and not made yet', async () => {
  expect(await payingAt([])).toBe('go_on');
});
