import { NETWORKS } from '../../../src/vocabulary/networks';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { Reply } from '../../support/http-caller';
import { DashboardStage, type PersonBrowser } from '../dashboard-stage';
import { ownWallet } from './own-wallet';
import { inferredPayment, quotedPayment, rankedAs, stagedPayment, stagedTransfer } from './staged-payments';

const LIMIT_MS = 90_000;
const HOME = '/dashboard/test';
const SEE_OTHER = 303;

let dashboard: DashboardStage;
let owner: PersonBrowser;
let stranger: PersonBrowser;
let wallet: string;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  ({ owner } = dashboard);
  stranger = await dashboard.stranger();
  wallet = await ownWallet(owner);
}, LIMIT_MS);
afterAll(() => dashboard.close());

const send = (page: string, path: string, fields: object = {}) =>
  owner.sendForm(`${HOME}/${page}`, `${HOME}/${path}`, fields);
const ledTo = ({ status, headers }: Reply) => [status, String(headers.location)];
const eventsOf = (id: string): Promise<readonly RecordedEvent[]> =>
  dashboard.stage.core.store.readStream(`test.payment_intent-${id}`);
const textOf = ({ body }: Reply) => body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

const quoted = () => quotedPayment(dashboard, wallet);

it('names the key that has made a payment', async () => {
  const { id } = await owner.merchant.createIntent();
  expect(textOf(await owner.open(`${HOME}/payments/${id}`))).toContain('event 0, created, by API key First key');
});

it('makes a payment by hand, once for two clicks', async () => {
  const fields = { amount: '1,234.50', currency: 'eur', description: '<b>Ladder</b>', metadata: 'order=77\nshop=Köln' };
  const sent = { formId: 'a'.repeat(32) };
  const [first, second] = [
    await owner.sendForm(`${HOME}/payments/new`, `${HOME}/payments/new`, fields, sent),
    await owner.sendForm(`${HOME}/payments/new`, `${HOME}/payments/new`, fields, sent),
  ];
  expect(ledTo(first)).toStrictEqual([
    SEE_OTHER,
    expect.stringMatching(/^\/dashboard\/test\/payments\/pi_\w{26}$/) as string,
  ]);
  expect(ledTo(second)).toStrictEqual(ledTo(first));
  const page = await owner.open(String(first.headers.location));
  expect(page.body).toContain('&lt;b>Ladder&lt;/b>');
  expect(textOf(page)).toContain('€1,234.50');
  expect(textOf(page)).toContain('event 0, created, by owner@shop.example');
  const [event] = await eventsOf(String(first.headers.location).split('/').at(-1) ?? '');
  expect(event?.data).toMatchObject({ amount_minor_units: '123450', metadata: { order: '77', shop: 'Köln' } });
  expect(event?.metadata.actor).toMatchObject({
    role: 'merchant',
    type: 'user',
    id: expect.stringMatching(/^usr_/) as string,
  });
});

it.each([
  ['an amount that is none', 'amount', 'ten'],
  ['no amount at all', 'amount', '0'],
  ['a currency that is none', 'currency', 'XYZ'],
  ['metadata without a name', 'metadata', 'just words'],
  ['a name twice', 'metadata', 'a=1\na=2'],
])('refuses %s, and keeps what was typed', async (_, param, typed) => {
  const fields = { amount: '25', currency: 'EUR', description: 'Ladder', metadata: '', [param]: typed };
  const refused = await send('payments/new', 'payments/new', fields);
  expect(refused.status).toBe(400);
  expect(refused.body).toContain('value="Ladder"');
  expect(refused.body).toContain(`payments-new-${param}-fault`);
  expect(refused.body).toContain(typed.split('\n')[0]);
});

it('finds payments, and tells an empty list from an empty search', async () => {
  const id = await stagedPayment(dashboard, 'overpaid');
  const list = await owner.open(`${HOME}/payments?search=order%3D42&status=overpaid&token_id=&amount=`);
  expect(list.body).toContain(`href="/dashboard/test/payments/${id}"`);
  expect(textOf(list)).toContain('Overpaid');
  expect(textOf(await owner.open(`${HOME}/payments?search=nothing`))).toContain('No payment passes these filters');
  expect(textOf(await stranger.open(`${HOME}/payments`))).toContain('No payments yet');
  const fault = await owner.open(`${HOME}/payments?amount=25`);
  expect([fault.status, textOf(fault).includes('together with its currency')]).toStrictEqual([200, true]);
  const day = new Date(dashboard.stage.clock.now()).toISOString().slice(0, 10);
  const today = await owner.open(`${HOME}/payments?created_from=${day}&created_to=${day}&status=overpaid`);
  expect(today.body).toContain(id);
});

it('shows a payment now, and as of an earlier event', async () => {
  const id = await stagedPayment(dashboard, 'overpaid');
  const now = textOf(await owner.open(`${HOME}/payments/${id}`));
  expect(now).toContain('now, event 6');
  for (const words of ['kraken', 'Slot', '27.000 120', 'Payer cleared', '12 of 12 confirmations', NETWORKS.base.name])
    expect(now).toContain(words);
  const then = textOf(await owner.open(`${HOME}/payments/${id}?as_of=2`));
  expect(then).toContain('event 2 of 6');
  expect(then).toContain('Detected');
  expect(then).not.toContain('12 of 12 confirmations');
});

it.each(['9', '-1', 'x', '2026', '1970-01-01T00:00:00Z'])('knows no payment as of %s', async asOf => {
  const id = await stagedPayment(dashboard, 'created');
  expect((await owner.open(`${HOME}/payments/${id}?as_of=${asOf}`)).status).toBe(400);
});

it('cancels a payment that waits, and no other one', async () => {
  const { id } = await quoted();
  const page = `payments/${id}`;
  expect(ledTo(await send(page, `${page}/cancel`))).toStrictEqual([SEE_OTHER, `${HOME}/${page}`]);
  expect((await eventsOf(id)).at(-1)).toMatchObject({
    ...{ type: 'PaymentCanceled', metadata: { actor: { role: 'merchant', type: 'user' } } },
  });
  const refused = await send('payments/new', `${page}/cancel`);
  expect(refused.status).toBe(409);
  expect(textOf(refused)).toContain('Canceled');
});

it('attributes a transaction to a payment by its hash', async () => {
  const { id, due } = await quoted();
  const { txHash } = await stagedTransfer(dashboard, due - 1_000_000n);
  const page = `payments/${id}`;
  const wrong = await send(page, `${page}/transaction`, { tx_hash: '0x12', log_index: '' });
  expect([wrong.status, wrong.body.includes('value="0x12"')]).toStrictEqual([400, true]);
  const index = await send(page, `${page}/transaction`, { tx_hash: txHash, log_index: 'first' });
  expect([index.status, index.body.includes('transaction-log_index-fault')]).toStrictEqual([400, true]);
  const named = await send(page, `${page}/transaction`, { tx_hash: ` ${txHash} `, log_index: '' });
  expect(ledTo(named)).toStrictEqual([SEE_OTHER, `${HOME}/${page}`]);
  expect(await eventsOf(id)).toContainEqual(
    expect.objectContaining({ data: expect.objectContaining({ tx_hash: txHash, attribution: 'claimed' }) as object }),
  );
});

describe('a review', () => {
  it('stands in the queue with its evidence, until it is accepted with a note', async () => {
    const id = await inferredPayment(dashboard);
    const queue = textOf(await owner.open(`${HOME}/reviews`));
    for (const words of [
      'can be meant for no other payment',
      'Short by 1.000120 USDC',
      '5 minutes',
      '2 of the last day',
    ])
      expect(queue).toContain(words);
    const accepted = await send('reviews', `reviews/${id}/accept`, { note: 'He called <us>' });
    expect(ledTo(accepted)).toStrictEqual([SEE_OTHER, `${HOME}/reviews`]);
    const events = await eventsOf(id);
    expect(events.slice(-2)).toMatchObject([
      { type: 'PaymentAccepted', data: { note: 'He called <us>' }, metadata: { actor: { type: 'user' } } },
      { type: 'PaymentConfirmed' },
    ]);
    await dashboard.stage.project();
    expect((await owner.open(`${HOME}/reviews`)).body).not.toContain(id);
    expect((await owner.open(`${HOME}/payments/${id}`)).body).toContain('He called &lt;us>');
  });

  it('of a late payment asks for a note, also where it is accepted', async () => {
    const id = await stagedPayment(dashboard, 'paid_late');
    const blank = await send(`payments/${id}`, `payments/${id}/accept`, { note: ' ' });
    expect([blank.status, blank.body.includes('accept-note-fault')]).toStrictEqual([...[400, true]]);
  });

  it('is rejected with a note, and not twice', async () => {
    const id = await stagedPayment(dashboard, 'underpaid');
    const reject = (note: string) => send(`payments/${id}`, `payments/${id}/reject`, { note });
    expect((await reject('')).status).toBe(400);
    expect((await reject('x'.repeat(501))).status).toBe(400);
    expect(ledTo(await reject('sent back'))).toStrictEqual([SEE_OTHER, `${HOME}/payments/${id}`]);
    expect((await send('payments/new', `payments/${id}/reject`, { note: 'again' })).status).toBe(409);
    await dashboard.stage.project();
    expect((await owner.open(`${HOME}/reviews`)).body).not.toContain(id);
  });
});

describe('an unmatched transfer', () => {
  it('is given to one of its candidates, or to a payment that is named', async () => {
    const { id: payment, due } = await quoted();
    const { id, txHash } = await stagedTransfer(dashboard, due - 300_000n);
    const page = `transfers/${id}`;
    await rankedAs(dashboard, txHash, payment);
    expect((await owner.open(`${HOME}/transfers`)).body).toContain(`/dashboard/test/${page}`);
    const shown = textOf(await owner.open(`${HOME}/${page}`));
    expect(shown).toMatch(new RegExp(`€25.00 Awaiting payment About order: 1042 Created \\d.+ Id ${payment} Short by`));
    const unknown = { payment_intent: 'pi_00000000000000000000000000' };
    expect((await send(page, `${page}/attribute`, unknown)).status).toBe(404);
    const given = await send(page, `${page}/attribute?candidate=${payment}`, { payment_intent: payment });
    expect(ledTo(given)).toStrictEqual([SEE_OTHER, `${HOME}/payments/${payment}`]);
    expect((await owner.open(`${HOME}/${page}`)).status).toBe(404);
    expect(textOf(await owner.open(`${HOME}/payments/${payment}`))).toContain(
      'The customer, you or support named it for this payment.',
    );
  });

  it('is set aside with an outcome and a note', async () => {
    const { id } = await stagedTransfer(dashboard, 77_000_000n);
    const page = `transfers/${id}`;
    const setAside = (fields: object) => send(page, `${page}/set-aside`, fields);
    expect((await setAside({ note: 'mine' })).status).toBe(400);
    expect((await setAside({ outcome: 'kept', note: ' ' })).status).toBe(400);
    expect(ledTo(await setAside({ outcome: 'kept', note: 'ours & <fine>' }))).toStrictEqual([
      ...[SEE_OTHER, `${HOME}/${page}`],
    ]);
    const shown = await owner.open(`${HOME}/${page}`);
    expect(textOf(shown)).toContain('What became of it It was set aside: the money stays with you.');
    expect(shown.body).toContain('ours &amp; &lt;fine>');
    await dashboard.stage.project();
    expect((await owner.open(`${HOME}/transfers`)).body).not.toContain(id);
    expect((await send('payments/new', `${page}/set-aside`, { outcome: 'kept', note: 'x' })).status).toBe(409);
  });
});

describe('an export', () => {
  it('is the file that a key gets', async () => {
    const id = await stagedPayment(dashboard, 'confirmed');
    const file = await owner.open(`${HOME}/exports/file?kind=payments&format=csv&from=&to=`);
    expect([file.status, file.headers['content-type']]).toStrictEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(file.headers['content-disposition']).toContain('attachment; filename="payments-test-');
    expect(file.body).toBe(await owner.merchant.done('GET /v1/exports/payments'));
    expect(file.body).toContain(id);
    expect((await stranger.open(`${HOME}/exports/file?kind=payments&format=csv`)).body).not.toContain(id);
  });

  it.each([
    ['kind=secrets', 'List: There is no such list.'],
    ['kind=payments&format=xls', 'Format: '],
    ['kind=payments&from=2026-13-01', 'From: Choose a day of the calendar'],
  ])('refuses %s', async (query, words) => {
    const refused = await owner.open(`${HOME}/exports/file?${query}`);
    expect(refused.headers['content-type']).toContain('text/html');
    expect(refused.body).toContain(`role="alert">${words}`);
  });
});
