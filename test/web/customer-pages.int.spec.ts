import { STATUSES, type Status } from '../../src/modules/payment-intents/payment-intent.transitions';
import { LivePages } from '../../web/http/live-pages';
import { CustomerBrowser } from './customer-browser';
import { ownWallet } from './dashboard/own-wallet';
import { stagedInvoice, stagedLink } from './dashboard/staged-business';
import { quotedPayment, stagedPayment } from './dashboard/staged-payments';
import { DashboardStage } from './dashboard-stage';

const LIMIT_MS = 60_000;
const WITH_RECEIPT: readonly Status[] = ['confirmed', 'overpaid'];

let dashboard: DashboardStage;
let customer: CustomerBrowser;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  customer = new CustomerBrowser(dashboard.instance);
}, LIMIT_MS);
afterAll(() => dashboard.close());

/** Looks at a page twice: the process has kept what it may after the first look. */
async function looked(path: string): Promise<readonly (number | string | undefined)[]> {
  const [first, { status, headers }] = [await customer.open(path), await customer.open(path)];
  expect([path, status]).toStrictEqual([path, first.status]);
  return headers.location === undefined ? [status] : [status, headers.location];
}

describe('a payment', () => {
  it.each(STATUSES)('is shown while it is %s', async status => {
    const page = `/checkout/${await stagedPayment(dashboard, status)}`;
    const receipt = WITH_RECEIPT.includes(status) ? 200 : 404;
    expect([await looked(page), await looked(`${page}/receipt`)]).toStrictEqual([[200], [receipt]]);
    for (const form of ['method', 'claims', 'restart'])
      expect([form, await looked(`${page}/${form}`)]).toStrictEqual([form, [303, page]]);
  });

  it('is shown while it waits for its amount, and while its transaction is looked for', async () => {
    const { id } = await quotedPayment(dashboard, await ownWallet(dashboard.owner));
    const { headers } = await customer.send(id, 'claims', { tx_hash: '5550001234' });
    expect(headers.location).toMatch(/\/claims\/tc_\w+$/);
    expect([await looked(`/checkout/${id}`), await looked(String(headers.location))]).toStrictEqual([[200], [200]]);
  });
});

it('shows a link, an invoice, and the colour of a shop', async () => {
  const link = `/pay/${await stagedLink(dashboard)}`;
  const invoice = `/invoices/${(await stagedInvoice(dashboard)).id}`;
  for (const page of [link, invoice, `${invoice}/pdf`, '/checkout/brand/1f6feb.css'])
    expect([page, await looked(page)]).toStrictEqual([page, [200]]);
  expect(await looked(`${link}/amount`)).toStrictEqual([303, link]);
  expect(await looked(`${invoice}/pay`)).toStrictEqual([303, invoice]);
});

describe('an open page, once the service ends', () => {
  beforeAll(() => dashboard.instance.app.get(LivePages, { strict: false }).onModuleDestroy());

  it.each([
    ['a payment', async () => `/checkout/${await stagedPayment(dashboard, 'created')}`],
    ['an invoice', async () => `/invoices/${(await stagedInvoice(dashboard)).id}`],
  ])('of %s is told to ask by itself, so that its stream holds no server up', async (_, staged) => {
    expect(await looked(`${await staged()}/events`)).toStrictEqual([204]);
  });
});
