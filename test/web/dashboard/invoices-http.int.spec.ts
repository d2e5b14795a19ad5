import type { Reply } from '../../support/http-caller';
import { DashboardStage, type PersonBrowser } from '../dashboard-stage';
import { textIn, typedIn } from './rendered-dashboard';
import { stagedDraft, stagedInvoice } from './staged-business';

const LIMIT_MS = 60_000;
const HOME = '/dashboard/test';
const NEW = `${HOME}/invoices/new`;
const LINE = {
  ...{ line_1_description: 'Green tea', line_1_quantity: '2', line_1_price: '12.50' },
  ...{ line_1_discount: '5', line_1_tax: '19' },
};
const EMPTY = {
  ...{ line_2_description: '', line_2_quantity: '', line_2_price: '', line_2_discount: '', line_2_tax: '' },
};
const DRAFT = {
  ...{ currency: 'EUR', customer_name: 'Ada <b>', customer_email: 'ada@example.com', description: '' },
  ...{ notes: 'Ring twice.', due_at: '2999-01-31', metadata: 'order=7' },
  ...LINE,
};

let dashboard: DashboardStage;
let owner: PersonBrowser;
let viewer: PersonBrowser;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  ({ owner } = dashboard);
  viewer = await dashboard.invited('viewer');
}, LIMIT_MS);
afterAll(() => dashboard.close());

const idIn = ({ headers }: Reply) => String(headers.location).split('/').at(-1) ?? '';
const invoiceOf = (id: string) => dashboard.merchant.done(`GET /v1/invoices/${id}`);
const press = (id: string, step: string, person = owner) =>
  person.sendForm(`${HOME}/security`, `${HOME}/invoices/${id}/${step}`);
const ledTo = ({ status, headers }: Reply) => [status, headers.location];

it('drafts an invoice, once for two clicks, without the lines that are left empty', async () => {
  const fields = {
    ...DRAFT,
    ...EMPTY,
    language: 'zh',
    line_3_description: 'Pot',
    line_3_price: '49',
    line_3_tax: '7,5 %',
  };
  const sent = { formId: 'b'.repeat(32) };
  const [first, second] = [await owner.sendForm(NEW, NEW, fields, sent), await owner.sendForm(NEW, NEW, fields, sent)];
  expect(ledTo(first)).toStrictEqual([303, `${HOME}/invoices/${idIn(first)}`]);
  expect(ledTo(second)).toStrictEqual(ledTo(first));
  expect(await invoiceOf(idIn(first))).toMatchObject({
    ...{ status: 'draft', currency: 'EUR', notes: 'Ring twice.', metadata: { order: '7' } },
    customer: { name: 'Ada <b>', email: 'ada@example.com' },
    ...{ due_at: '2999-01-31T23:59:59.999Z', language: 'zh' },
    lines: [
      { description: 'Green tea', quantity: 2, unit_amount: '1250', discount_bps: 500, tax_bps: 1_900 },
      { description: 'Pot', quantity: 1, unit_amount: '4900', discount_bps: 0, tax_bps: 750 },
    ],
  });
  const page = await owner.open(`${HOME}/invoices/${idIn(first)}`);
  expect(page.body).toContain('Ada &lt;b>');
  expect(textIn(page.body)).toContain('7.5%');
  expect(textIn(page.body)).toContain('Language of mails Chinese');
});

it.each([
  ['line_1_description', ''],
  ['line_1_description', 'x'.repeat(201)],
  ['line_1_quantity', '0'],
  ['line_1_quantity', '1.5'],
  ['line_1_price', 'ten'],
  ['line_1_price', '0'],
  ['line_1_price', '9999999999'],
  ['line_1_discount', '101'],
  ['line_1_tax', 'much'],
  ['currency', 'EURO'],
  ['customer_name', ''],
  ['customer_email', 'ada'],
  ['due_at', '0001-01-01'],
  ['metadata', 'just words'],
])('refuses %s “%s” at its field, keeps what was typed, and takes no number', async (field, typed) => {
  const before = await newestNumber();
  const refused = await owner.sendForm(NEW, NEW, { ...DRAFT, [field]: typed });
  expect(refused.status).toBe(400);
  expect(refused.body.includes(`id="invoices-new-${field}-fault"`)).toBe(true);
  expect(['notes', field].map(name => typedIn(refused, name))).toStrictEqual(['Ring twice.', typed]);
  expect(await newestNumber()).toBe(before);
});

it('names the first line where none is filled in, and a later one by its own number', async () => {
  const none = await owner.sendForm(NEW, NEW, { ...DRAFT, ...EMPTY, ...blank(LINE) });
  expect([none.status, none.body.includes('id="invoices-new-line_1_description-fault"')]).toStrictEqual([400, true]);
  const third = { ...DRAFT, ...EMPTY, line_3_description: 'Pot', line_3_price: '1', line_3_quantity: 'two' };
  const refused = await owner.sendForm(NEW, NEW, third);
  expect(refused.body).toContain('id="invoices-new-line_3_quantity-fault"');
});

it('adds a line without a script, up to a fixed number, and drafts nothing', async () => {
  const before = await newestNumber();
  const more = await owner.sendForm(NEW, `${NEW}/lines`, { ...DRAFT, ...EMPTY, line_3_description: 'Pot' });
  expect(more.status).toBe(200);
  const kept = ['line_1_description', 'line_3_description', 'line_4_price', 'notes', 'due_at', 'line_5_price'];
  expect(kept.map(name => typedIn(more, name))).toStrictEqual([
    ...['Green tea', 'Pot', '', 'Ring twice.', '2999-01-31', null],
  ]);
  const full = await owner.sendForm(NEW, `${NEW}/lines`, { ...DRAFT, line_20_description: 'last' });
  expect([full.body.includes('name="line_20_tax"'), full.body.includes('Add a line')]).toStrictEqual([true, false]);
  expect(await newestNumber()).toBe(before);
  expect(ledTo(await owner.open(`${NEW}/lines`))).toStrictEqual([303, NEW]);
});

it('issues a draft, and makes another payment once the last one has ended', async () => {
  const id = await stagedDraft(dashboard);
  const page = `${HOME}/invoices/${id}`;
  expect((await owner.open(page)).body).toContain(`action="${page}/issue"`);
  expect(ledTo(await press(id, 'issue'))).toStrictEqual([303, page]);
  await dashboard.stage.project();
  const { status, payment_intent: first, hosted_url: url } = await invoiceOf(id);
  expect(status).toBe('open');
  const shown = await owner.open(page);
  for (const words of [`href="${HOME}/payments/${first}"`, `href="${url}"`, `href="${url}/pdf"`])
    expect(shown.body).toContain(words);
  expect(shown.body).not.toContain(`action="${page}/issue"`);
  const early = await press(id, 'issue');
  expect(early.status).toBe(409);
  expect(early.body).toContain('role="alert"');
  await dashboard.merchant.done(`POST /v1/payment_intents/${first}/cancel`);
  await dashboard.stage.project();
  expect((await owner.open(page)).body).toContain('Make another payment');
  expect((await press(id, 'issue')).status).toBe(303);
  expect((await invoiceOf(id)).payment_intents).toHaveLength(2);
});

it('mails an issued invoice, and says why another one is not mailed', async () => {
  const { id } = await stagedInvoice(dashboard);
  expect(ledTo(await press(id, 'send'))).toStrictEqual([303, `${HOME}/invoices/${id}`]);
  const events = await dashboard.stage.core.store.readStream(`test.invoice-${id}`);
  expect(events.at(-1)).toMatchObject({ type: 'InvoiceMailed', metadata: { actor: { type: 'user' } } });
  const { id: unnamed } = await stagedInvoice(dashboard, { customer: { name: 'Ada' } });
  expect((await owner.open(`${HOME}/invoices/${unnamed}`)).body).toContain('names no e-mail address');
  expect((await press(unnamed, 'send')).status).toBe(409);
});

it('voids an invoice, once', async () => {
  const { id, payment } = await stagedInvoice(dashboard);
  expect((await press(id, 'void')).status).toBe(303);
  expect((await invoiceOf(id)).status).toBe('void');
  expect((await dashboard.merchant.done(`GET /v1/payment_intents/${payment}`)).status).toBe('canceled');
  expect((await press(id, 'void')).status).toBe(409);
  expect((await owner.open(`${HOME}/invoices/${id}`)).body).not.toContain('Next steps');
});

it('lists invoices by their state, newest number first', async () => {
  const { id, number } = await invoiceOf(await stagedDraft(dashboard));
  const list = await owner.open(`${HOME}/invoices?status=draft`);
  const [first] = /INV-\d{6}/.exec(list.body) ?? [];
  expect([first, list.body.includes(`href="${HOME}/invoices/${id}"`)]).toStrictEqual([number, true]);
  const older = await owner.open(`${HOME}/invoices?status=draft&starting_after=${id}`);
  expect(older.body).not.toContain(number);
});

it('offers a viewer nothing that would be refused, and refuses it', async () => {
  const id = await stagedDraft(dashboard);
  expect((await viewer.open(`${HOME}/invoices`)).body).not.toContain('invoices/new');
  const page = await viewer.open(`${HOME}/invoices/${id}`);
  expect([page.status, page.body.includes('Next steps')]).toStrictEqual([200, false]);
  expect((await viewer.open(NEW)).status).toBe(403);
  for (const step of ['issue', 'send', 'void']) expect((await press(id, step, viewer)).status).toBe(403);
  const security = `${HOME}/security`;
  for (const path of [NEW, `${NEW}/lines`]) expect((await viewer.sendForm(security, path, DRAFT)).status).toBe(403);
});

async function newestNumber(): Promise<string> {
  const { data } = await dashboard.merchant.done('GET /v1/invoices?limit=1');
  return (data as readonly { readonly number: string }[])[0]?.number ?? '';
}

function blank(fields: object): object {
  return Object.fromEntries(Object.keys(fields).map(name => [name, '']));
}
