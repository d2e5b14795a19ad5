import { paymentDocumentsAfter } from '../../../src/composition/payment-documents';
import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import type { FoundPayments, PaymentRow } from '../../../src/modules/payment-intents/queries/find-payments.query';
import { STATUSES } from '../../../src/modules/payment-intents/payment-intent.transitions';
import { presentRow } from '../../../src/modules/payment-intents/queries/payment-row';
import {
  GetPaymentTimeline,
  type PaymentTimeline,
} from '../../../src/modules/payment-intents/queries/get-payment-timeline.query';
import { FACT_NAMES } from '../../../src/modules/payment-intents/queries/payment-evidence';
import { PaymentTimelines } from '../../../src/processes/payment-timeline/payment-timelines';
import { USER_ROLES } from '../../../src/vocabulary/roles';
import { answerText, codeText, FACT_TERMS } from '../../../web/dashboard/payments/fact-words';
import { PaymentPage } from '../../../web/dashboard/payments/payment.page';
import { about, PaymentsPage, type PaymentsView } from '../../../web/dashboard/payments/payments.page';
import { Attempts } from '../../../web/dashboard/webhooks/attempts';
import { ReviewsPage } from '../../../web/dashboard/reviews/reviews.page';
import { TransfersPage } from '../../../web/dashboard/transfers/transfers.page';
import { spoken } from '../../../web/parts/status-badge';
import * as h from '../../modules/payment-intents/histories';
import { WAITING_HISTORIES } from '../../modules/payment-intents/waiting-histories';
import { termsOf } from '../../support/payment-terms';
import { MERCHANT, NOON, ToldPayments } from '../../support/told-payments';
import { renderedFor, textIn } from './rendered-dashboard';

const HOSTILE = '<script>alert(1)</script>"\'&';
const told = new ToldPayments();
const timelines = new PaymentTimelines({
  ...{ readModels: told.readModels, store: told.store, documentsAfter: paymentDocumentsAfter },
  ...{ checkoutUrl: 'https://pay.example/checkout', headNumber: () => Promise.resolve(null) },
});
let places = 0;

async function timelineOf(events: readonly PaymentIntentEvent[]): Promise<PaymentTimeline> {
  const id = await told.payment(events, { place: (places += 1) });
  return timelines.of(new GetPaymentTimeline(id, { merchantId: MERCHANT, mode: 'test', nowMs: NOON }, null));
}

async function listOf({ now: { id } }: PaymentTimeline): Promise<FoundPayments> {
  const history = await told.store.readStream(`test.payment_intent-${id}`);
  const rows = paymentDocumentsAfter(history).slice(-1);
  return { rows: rows.map(body => presentRow({ id, body, version: 0 })), next: null, isCut: false };
}

const created = (change: Parameters<typeof termsOf>[0]): PaymentIntentEvent => ({
  type: 'PaymentIntentCreated',
  data: termsOf(change),
});

beforeAll(() => told.project());

it.each(STATUSES)('shows a payment that is %s, with every event of its history', async status => {
  const timeline = await timelineOf(h.HISTORIES[status]);
  const page = renderedFor(<PaymentPage names={{}} timeline={timeline} />);
  expect(textIn(page)).toContain(`now, event ${h.HISTORIES[status].length - 1}`);
  expect(page).toContain(`>${spoken(status)}</span>`);
  expect([...page.matchAll(/<details id="event-\d+"/g)]).toHaveLength(h.HISTORIES[status].length);
  expect(page).not.toContain('undefined');
});

it.each([
  ['a merchant who must not be warned', [...h.HISTORIES.underpaid, h.held, h.released], ['listed', 'namesake', 'adm_']],
  ['a rejection', h.HISTORIES.failed, ['a match', 'adm_', 'local_list']],
] as const)('tells %s nothing of the inside of compliance', async (_, events, hidden) => {
  const page = renderedFor(<PaymentPage names={{}} timeline={await timelineOf(events)} />);
  for (const words of hidden) expect(page).not.toContain(words);
});

it('escapes all that strangers and merchants have written', async () => {
  const hostile = created({ description: HOSTILE, metadata: { [HOSTILE.slice(0, 20)]: HOSTILE } });
  const rejected: PaymentIntentEvent = { type: 'ReviewResolved', data: { resolution: 'rejected', note: HOSTILE } };
  const page = renderedFor(
    <PaymentPage names={{}} timeline={await timelineOf([hostile, ...h.HISTORIES.underpaid.slice(1), rejected])} />,
  );
  expect(page).not.toContain('<script>alert');
  expect(page).toContain('&lt;script>alert(1)');
});

it('shows that a payment was rejected in its review, and offers it no transfer', async () => {
  const rejected: PaymentIntentEvent = { type: 'ReviewResolved', data: { resolution: 'rejected', note: 'No.' } };
  const page = renderedFor(
    <PaymentPage names={{}} timeline={await timelineOf([...h.HISTORIES.underpaid, rejected])} />,
  );
  expect(page).toContain('>Rejected in review</span>');
  expect(page).not.toContain('/transaction"');
});

it.each(WAITING_HISTORIES)('tells each event of a history as what was so then: $name', async ({ events }) => {
  const text = textIn(renderedFor(<PaymentPage names={{}} timeline={await timelineOf(events)} />));
  for (const present of ['is still asked for', 'is asked for', 'is being looked into', 'payment has this amount'])
    expect(text).not.toContain(present);
});

it('tells a remainder that was asked for, also where the payment is completed', async () => {
  const paid = [...h.HISTORIES.underpaid, { type: 'PaymentAccepted', data: { note: null } } as const];
  const text = textIn(renderedFor(<PaymentPage names={{}} timeline={await timelineOf(paid)} />));
  expect(text).toMatch(/A further 1\d\.\d+ USDC was asked for\./);
});

it('shows a rejection by one sign, in review and by compliance', async () => {
  const signOf = async (events: readonly PaymentIntentEvent[], title: string) => {
    const page = renderedFor(<PaymentPage names={{}} timeline={await timelineOf(events)} />);
    const steps = page.slice(page.indexOf('<ol class="timeline"')).split('<li');
    const [, sign] = /<span class="sign (.*?)<\/span>/.exec(steps.find(step => step.includes(title)) ?? '') ?? [];
    return sign;
  };
  const inReview = await signOf([...h.HISTORIES.underpaid, h.reviewRejected], 'Rejected in review');
  expect(inReview).toContain('bad');
  expect(inReview).toBe(await signOf([...h.HISTORIES.underpaid, h.held, h.rejected], 'Rejected by compliance'));
});

it.each(WAITING_HISTORIES)('offers the forms of a decision where one is to be taken: $name', async history => {
  const { events, decision, hold } = history;
  const page = renderedFor(<PaymentPage names={{}} timeline={await timelineOf(events)} />);
  const isOpen = decision !== null;
  expect([page.includes('/accept"'), page.includes('/reject"')]).toStrictEqual([isOpen && hold === null, isOpen]);
});

const EXAMINED = 'Compliance is examining the payer.';

it.each([
  ['without a review', h.HISTORIES.confirming, 'cannot be confirmed until compliance releases the hold. You need not'],
  ['in review', h.HISTORIES.paid_late, 'cannot be accepted as paid until compliance releases the hold.'],
  ['rejected', [...h.HISTORIES.paid_late, h.reviewRejected], 'is rejected. Ask support before you return the money.'],
] as const)('says what an open hold means for a payment %s', async (_, history, effect) => {
  const text = async (events: readonly PaymentIntentEvent[]) =>
    textIn(renderedFor(<PaymentPage names={{}} timeline={await timelineOf(events)} />));
  const [page, unheld] = [await text([...history, h.held]), await text(history)];
  expect(page.split(`${EXAMINED} The payment ${effect}`)).toHaveLength(2);
  expect(unheld).not.toContain(EXAMINED);
});

it.each([
  ['whose payer is examined', [h.held], 'ask support before you return it', 'return it to the customer yourself'],
  ['without a hold', [], 'return it to the customer yourself', 'ask support before you return it'],
] as const)('says what becomes of the money of a rejected payment %s', async (_, hold, told, untold) => {
  const timeline = await timelineOf([...h.HISTORIES.underpaid, ...hold]);
  const text = textIn(renderedFor(<PaymentPage names={{}} timeline={timeline} />));
  expect(text).toContain(`The money stays in your wallet: ${told}`);
  expect(text).not.toContain(untold);
});

it('offers no acceptance among the reviews either while a hold is open', async () => {
  const found = await listOf(await timelineOf([...h.HISTORIES.underpaid, h.held]));
  const page = renderedFor(<ReviewsPage view={{ found, isFirst: true, evidence: {} }} />);
  expect([page.includes('/accept"'), page.includes('/reject"')]).toStrictEqual([false, true]);
  expect(textIn(page)).toContain(`${EXAMINED} The payment cannot be accepted`);
});

it('says why an acceptance was refused that a hold has overtaken', async () => {
  const timeline = await timelineOf([...h.HISTORIES.underpaid, h.held]);
  const action = `/dashboard/test/payments/${timeline.now.id}/accept`;
  const fault = { action, code: 'compliance_hold', param: null, text: 'Under review.', typed: {} } as const;
  const page = renderedFor(<PaymentPage names={{}} timeline={timeline} />, { fault });
  expect(page).toContain('<p role="alert">Under review.</p>');
});

const STEPS = ['accept', 'reject', 'cancel', 'transaction'];

it.each(WAITING_HISTORIES)('says once why a step was refused, whether or not it can be taken: $name', async history => {
  const timeline = await timelineOf(history.events);
  for (const step of STEPS) {
    const action = `/dashboard/test/payments/${timeline.now.id}/${step}`;
    const fault = { action, code: 'invalid_state_transition', param: null, text: 'Too late.', typed: {} } as const;
    const page = renderedFor(<PaymentPage names={{}} timeline={timeline} />, { fault });
    expect(page.split('<p role="alert">Too late.</p>')).toHaveLength(2);
  }
});

it.each(WAITING_HISTORIES)('says once why a decision was refused among the reviews: $name', async history => {
  const timeline = await timelineOf(history.events);
  const none = { rows: [], next: null, isCut: false };
  const found = history.decision === null ? none : await listOf(timeline);
  for (const step of ['accept', 'reject']) {
    const action = `/dashboard/test/reviews/${timeline.now.id}/${step}`;
    const fault = { action, code: 'invalid_state_transition', param: null, text: 'Too late.', typed: {} } as const;
    const page = renderedFor(<ReviewsPage view={{ found, isFirst: true, evidence: {} }} />, { fault });
    expect(page.split('<p role="alert">Too late.</p>')).toHaveLength(2);
  }
});

const MARKS = ['Held', 'Decide', 'Rejected', 'Rejected in review', 'Rejected by compliance'];

it.each(WAITING_HISTORIES)('marks a payment by what is decided and what is not: $name', async history => {
  const { name, events, decision, hold } = history;
  const timeline = await timelineOf(events);
  const found = await listOf(timeline);
  const list = <PaymentsPage view={{ query: {}, isFiltered: false, isFirst: true, found, fault: null }} />;
  const marks = (page: Parameters<typeof renderedFor>[0]) =>
    MARKS.filter(mark => new RegExp(`<span class="badge \\w+">${mark}</span>`).test(renderedFor(page)));
  const isRejected = name.endsWith('rejected') || hold === 'rejected';
  expect(marks(list)).toStrictEqual([
    ...(hold === 'open' ? ['Held'] : decision === null ? [] : ['Decide']),
    ...(isRejected ? ['Rejected'] : []),
  ]);
  const ofPage = hold === 'rejected' ? 'Rejected by compliance' : 'Rejected in review';
  expect(marks(<PaymentPage names={{}} timeline={timeline} />)).toStrictEqual(isRejected ? [ofPage] : []);
});

it('offers no transfer to a payment whose payer was rejected', async () => {
  const timeline = await timelineOf([...h.HISTORIES.underpaid, h.held, h.rejected]);
  expect(renderedFor(<PaymentPage names={{}} timeline={timeline} />)).not.toContain('/transaction"');
});

it.each(USER_ROLES)('offers a person who is %s no step that would be refused', async role => {
  const underpaid = renderedFor(<PaymentPage names={{}} timeline={await timelineOf(h.HISTORIES.underpaid)} />, {
    role,
  });
  const decides = role === 'owner' || role === 'finance';
  const names = decides || role === 'support';
  expect([underpaid.includes('/accept"'), underpaid.includes('/reject"')]).toStrictEqual([decides, decides]);
  expect(underpaid.includes('/transaction"')).toBe(names);
  const waiting = renderedFor(<PaymentPage names={{}} timeline={await timelineOf(h.HISTORIES.awaiting_payment)} />, {
    role,
  });
  expect(waiting.includes('/cancel"')).toBe(names);
});

it('has no step on a payment of an earlier moment, nor on one that has ended', async () => {
  const id = await told.payment(h.HISTORIES.underpaid, { place: (places += 1) });
  const reader = { merchantId: MERCHANT, mode: 'test', nowMs: NOON } as const;
  const past = await timelines.of(new GetPaymentTimeline(id, reader, { revision: 1 }));
  const page = renderedFor(<PaymentPage names={{}} timeline={past} />);
  expect(page).not.toContain('What you can do');
  expect([...page.matchAll(/<li class="later"/g)]).toHaveLength(5);
  for (const status of ['confirmed', 'canceled', 'failed', 'overpaid'] as const)
    expect(renderedFor(<PaymentPage names={{}} timeline={await timelineOf(h.HISTORIES[status])} />)).not.toContain(
      'What you can do',
    );
});

it('shows moments in the time zone of the merchant', async () => {
  expect(textIn(renderedFor(<PaymentPage names={{}} timeline={await timelineOf([h.created])} />))).toContain(
    '13:00:00.000',
  );
});

it('names each fact, and shows a code that it does not know by its name', () => {
  expect(FACT_NAMES.filter(name => FACT_TERMS[name] === '')).toStrictEqual([]);
  expect(['base', 'high_risk', 'brand_new_reason', 'wal_1'].map(codeText)).toStrictEqual([
    ...['Base', 'High risk', 'Brand new reason', 'wal_1'],
  ]);
});

describe('a list', () => {
  const none = { rows: [], next: null, isCut: false };
  const view: PaymentsView = { query: {}, isFiltered: false, isFirst: true, found: none, fault: null };
  const shown = (change: Partial<PaymentsView>) => textIn(renderedFor(<PaymentsPage view={{ ...view, ...change }} />));

  it('tells what is empty, and why', () => {
    expect(shown({})).toContain('No payments yet');
    expect(shown({ isFiltered: true })).toContain('No payment passes these filters');
    expect(shown({ isFirst: false })).toContain('No older payments');
    expect(shown({ fault: HOSTILE })).toContain('&lt;script>');
    const cut = shown({ found: { ...none, next: 'pi_1', isCut: true }, isFiltered: true });
    expect([cut.includes('goes on looking'), cut.includes('No payment passes')]).toStrictEqual([true, false]);
    expect(renderedFor(<PaymentsPage view={view} />, { role: 'viewer' })).not.toContain('payments/new');
  });

  it('keeps its filters on the next page', () => {
    const rows: readonly PaymentRow[] = [
      {
        ...{
          id: 'pi_1',
          status: 'confirmed',
          needsDecision: false,
          reviewReason: null,
          isInferred: false,
          isHoldOpen: false,
          isRejected: false,
        },
        status: 'confirmed',
        ...{ created: '2026-11-01T12:00:00.000Z', amountMinorUnits: '2500', currency: 'KWD', currencyDecimals: 3 },
        ...{ receivedMinorUnits: '0', receivedTokenAmount: null, asset: null, networkId: null },
        ...{ description: HOSTILE.repeat(20), metadata: {} },
      },
    ];
    const found = { rows, next: 'pi_1', isCut: false };
    const page = renderedFor(<PaymentsPage view={{ ...view, query: { status: 'confirmed', search: 'a&b' }, found }} />);
    expect(page).toContain('?status=confirmed&amp;search=a%26b&amp;starting_after=pi_1');
    expect(textIn(page)).toContain('KWD 2.500');
    expect(page).not.toContain('<script>alert');
    expect([...about({ description: 'x'.repeat(90), metadata: {} })]).toHaveLength(33);
  });

  it.each([
    ['dns_error', 'The host’s name was not found'],
    ['timeout', 'No answer came in time'],
    ['some_new_code', 'some_new_code'],
    [null, 'No answer'],
  ])('of attempts says in words why no answer came: %s', (error, said) => {
    expect(answerText({ statusCode: null, error, latencyMs: 3 } as never)).toBe(said);
    const attempt = { id: 'att_1', event: 'evt_1', attempt: 1, trigger: 'schedule', status_code: null, error };
    const told = { ...attempt, latency_ms: 3, response_excerpt: '', created: '2026-11-01T12:00:00.000Z' };
    expect(textIn(renderedFor(<Attempts attempts={[told as never]} types={null} />))).toContain(said);
  });

  it.each([
    ['order: 17', { order: '17' }],
    ['external_subscription…: INV-0042', { external_subscription_invoice_number: 'INV-0042' }],
    ['external_s…: INV-2026-11-28-0000…', { external_subscription_invoice_number: 'INV-2026-11-28-000000042' }],
  ])('of payments says %s, so that a long name leaves the value in sight', (said, metadata) => {
    expect(about({ description: null, metadata })).toBe(said);
  });

  it('of reviews and transfers is empty in words', () => {
    expect(textIn(renderedFor(<ReviewsPage view={{ found: none, isFirst: true, evidence: {} }} />))).toContain(
      'Nothing waits for you',
    );
    const transfers = (network: string | null) =>
      textIn(renderedFor(<TransfersPage view={{ transfers: [], network, fault: null, next: null, isFirst: true }} />));
    expect(transfers(null)).toContain('No unmatched transfers');
    expect(transfers('tron')).toContain('No such transfer');
  });
});
