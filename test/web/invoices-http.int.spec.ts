import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { StagedMerchant } from '../support/staged-merchant';
import { CustomerBrowser, titleOf } from './customer-browser';

const LIMIT_MS = 60_000;
const UNKNOWN = 'inv_01kb3x5q0g7h2m9c4r8v6t1zny';
const TERMS = {
  currency: 'EUR',
  lines: [{ description: 'Green <b>tea</b>', quantity: 2, unit_amount: '1250', tax_bps: 1_900 }],
  customer: { name: 'Ada Byron', email: 'ada@example.com' },
  metadata: { secret: 'm-42' },
};

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let customer: CustomerBrowser;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  merchant = await stage.register(instance);
  customer = new CustomerBrowser(instance);
}, LIMIT_MS);
afterAll(() => stage.close());

const drafted = async (changes: object = {}) => (await merchant.done('POST /v1/invoices', { body: { ...TERMS, ...changes } })).id as string; // prettier-ignore
async function issued(changes: object = {}) {
  const id = await drafted(changes);
  return merchant.done(`POST /v1/invoices/${id}/issue`) as Promise<{ id: string; payment_intent: string }>;
}
const pageOf = (id: string, query = '') => customer.open(`/invoices/${id}${query}`);
const formIdOf = (body: string) => /name="form_id" value="([0-9a-f]{32})"/.exec(body)?.[1] ?? '';
const press = (id: string, formId: string, query = '') =>
  instance.caller.send({
    method: 'POST',
    path: `/invoices/${id}/pay${query}`,
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      origin: stage.core.config.publicUrl,
      host: new URL(stage.core.config.publicUrl).host,
    },
    body: `form_id=${formId}`,
  });

it('shows an open invoice, escaped, without anything of the merchant’s alone, and leads to its payment', async () => {
  const { id, payment_intent: payment } = await issued();
  const page = await pageOf(id);
  expect([page.status, titleOf(page)]).toStrictEqual([200, expect.stringMatching(/^Invoice .*INV-\d{6}/)]);
  expect(page.body).toContain('Green &lt;b>tea&lt;/b>');
  expect(page.body).toContain(`href="/checkout/${payment}"`);
  for (const secret of ['m-42', merchant.id, 'ada@example.com', 'position']) expect(page.body).not.toContain(secret);
  expect(page.body).not.toMatch(/<style|style=|\son[a-z]+=|<script(?![^>]*src=)|javascript:/);
});

it('tells nothing of a draft, nor of an unknown invoice', async () => {
  const draft = await pageOf(await drafted());
  const unknown = await pageOf(UNKNOWN);
  const odd = await pageOf('inv_1');
  expect([draft.status, unknown.status, odd.status]).toStrictEqual([404, 404, 404]);
  expect(draft.body).toBe(unknown.body);
  expect((await customer.open(`/invoices/${await drafted()}/pdf`)).status).toBe(404);
});

it('makes another payment as the actor checkout once the last one has ended, one for many clicks', async () => {
  const { id, payment_intent: first } = await issued();
  await merchant.done(`POST /v1/payment_intents/${first}/cancel`);
  const { body } = await pageOf(id, '?lang=de');
  expect(body).toContain(`action="/invoices/${id}/pay?lang=de"`);
  const answers = await Promise.all([press(id, formIdOf(body), '?lang=de'), press(id, formIdOf(body), '?lang=de')]);
  const { payment_intents: payments } = await merchant.done(`GET /v1/invoices/${id}`);
  expect(payments).toHaveLength(2);
  const place = [303, `/checkout/${payments[1]}?lang=de`];
  expect(answers.map(({ status, headers }) => [status, headers.location])).toStrictEqual([place, place]);
  // A page that was open all the while leads there as well.
  const other = await instance.readOnce.anew(() => press(id, 'f'.repeat(32)));
  expect([other.status, other.headers.location]).toStrictEqual([303, `/checkout/${payments[1]}`]);
  const { data } = await merchant.done(`GET /v1/payment_intents/${payments[1]}/events`);
  expect(data).toMatchObject([{ type: 'created', actor: 'checkout' }]);
});

it('shows a void invoice without a way to pay it, and refuses the old button', async () => {
  const { id, payment_intent: first } = await issued();
  await merchant.done(`POST /v1/payment_intents/${first}/cancel`);
  const formId = formIdOf((await pageOf(id)).body);
  await merchant.done(`POST /v1/invoices/${id}/void`);
  const page = await pageOf(id);
  expect(page.body).toContain('This invoice is void.');
  expect(page.body).not.toContain('/checkout/pi_');
  const answer = await press(id, formId);
  expect(answer.status).toBe(409);
  expect(answer.body).toContain('Here is how it stands now.');
});

it('leads who reloads the address of its form to its page', async () => {
  const { id } = await issued();
  const answer = await pageOf(`${id}/pay`, '?lang=de');
  expect([answer.status, answer.headers.location]).toStrictEqual([303, `/invoices/${id}?lang=de`]);
});

it('is led back to from its payment, also where that has ended', async () => {
  const { id, payment_intent: payment } = await issued();
  const way = `href="/invoices/${id}?lang=fr"`;
  expect((await customer.open(`/checkout/${payment}?lang=fr`)).body).toContain(way);
  await merchant.done(`POST /v1/payment_intents/${payment}/cancel`);
  const { body } = await customer.open(`/checkout/${payment}?lang=fr`);
  expect(body.slice(0, body.indexOf('id="order"'))).toContain(way);
});

it('tells its open page of a change', async () => {
  const { id, payment_intent: payment } = await issued();
  const versionOf = ({ body }: { body: string }) => /data-page-version="([^"]+)"/.exec(body)?.[1];
  const before = await pageOf(id);
  const path = /data-events="([^"]+)"/.exec(before.body)?.[1] ?? '';
  const events = await fetch(`http://127.0.0.1:${instance.port}${path}`);
  const reader = (events.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  const until = async (count: number) => {
    while (text.split('data: ').length <= count) text += Buffer.from((await reader.read()).value ?? []).toString();
  };
  await until(1);
  expect(text).toContain(`data: ${versionOf(before)}\n`);
  await merchant.done(`POST /v1/payment_intents/${payment}/cancel`);
  await until(2);
  const after = versionOf(await pageOf(id));
  expect(after).not.toBe(versionOf(before));
  expect(text).toContain(`data: ${after}\n`);
  await reader.cancel();
  const draft = await customer.open(`/invoices/${await drafted()}/events`);
  expect(draft.status).toBe(404);
});

it('is told to be overdue', async () => {
  const { id } = await issued({ due_at: '2020-02-01T12:00:00Z' });
  expect((await pageOf(id)).body).toMatch(/This invoice was due on .*February 1, 2020/);
});

it('gives the same as a PDF, in the language asked for', async () => {
  const { id } = await issued();
  const english = await customer.open(`/invoices/${id}/pdf`);
  expect([english.status, english.headers['content-type']]).toStrictEqual([200, 'application/pdf']);
  // An address that got about must not put a customer's invoice into a search.
  expect(english.headers['x-robots-tag']).toBe('noindex');
  expect(english.headers['content-disposition']).toMatch(/^inline; filename="INV-\d{6}\.pdf"$/);
  expect(english.headers['cache-control']).toBe('no-store');
  expect(english.body.startsWith('%PDF-')).toBe(true);
  const german = await customer.open(`/invoices/${id}/pdf?lang=de`);
  expect(german.body).not.toBe(english.body);
});
