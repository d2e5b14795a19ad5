import { DashboardStage } from '../dashboard-stage';
import { textIn } from './rendered-dashboard';

const HOME = '/dashboard/test';
const NOT_OFFERED = 'Choose one of those that the page offers.';
const NO_DAY = 'Choose a day of the calendar, such as 2026-11-21.';

let dashboard: DashboardStage;
beforeAll(async () => {
  dashboard = await DashboardStage.open();
}, 60_000);
afterAll(() => dashboard?.close());

/** A refused filter of each list, the words that tell of it, and the useful rest of its page. */
const REFUSED = [
  ['payments?status=lost', `Status: ${NOT_OFFERED}`, 'name="search"'],
  ['payments?token_id=gold', `Token: ${NOT_OFFERED}`, 'name="search"'],
  ['payments?created_from=2026-02-30', `Created from: ${NO_DAY}`, 'name="search"'],
  ['payments?created_to=soon', `Created to: ${NO_DAY}`, 'name="search"'],
  ['payments?amount=1', 'Currency: An amount is looked for together with its currency', 'name="search"'],
  ['payments?amount=x&currency=EUR', 'Amount: The amount is written in whole EUR', 'name="search"'],
  ['payments?created_from=2026-02-03&created_to=2026-02-01', 'Created from: The range ends before', 'name="search"'],
  ['payments?limit=0', 'A page of a list has 1 to 100 rows.', 'name="search"'],
  ['payments?starting_after=pi_1', 'This part of the list is not there.', 'name="search"'],
  ['transfers?network_id=gold', `Network: ${NOT_OFFERED}`, 'transfers?network_id=base"'],
  ['links?active=maybe', `Status: ${NOT_OFFERED}`, 'links?active=true"'],
  ['invoices?status=lost', `Status: ${NOT_OFFERED}`, 'invoices?status=draft"'],
  ['events?type=lost', `Type: ${NOT_OFFERED}`, 'name="delivered"'],
  ['events?delivered=maybe', `Delivery: ${NOT_OFFERED}`, 'name="delivered"'],
  ['requests?status=9', `Status: ${NOT_OFFERED}`, 'name="path"'],
  ['requests?starting_after=req_1', 'This part of the list is not there.', 'name="path"'],
  ['books?wallet=gold', `Wallet: ${NOT_OFFERED}`, 'name="month"'],
  ['books?from=soon', `From: ${NO_DAY}`, 'name="month"'],
  ...['payments', 'transfers', 'links', 'invoices', 'events', 'requests', 'books'].map(
    list => [`${list}?colour=red`, 'This list has no filter “colour”.', '<h1>'] as const,
  ),
] as const;

it.each(REFUSED)('tells on the page what is wrong with %s', async (path, words, rest) => {
  const { status, body } = await dashboard.owner.open(`${HOME}/${path}`);
  expect(status).toBe(200);
  expect(textIn(body)).toContain(words);
  expect(body).toContain(rest);
  expect(words).toMatch(/^[A-Z]/);
});

it.each(['fees', 'fees/invoices', 'outbox', 'keys', 'wallets', 'webhooks', 'reviews'])(
  'has a page of its own for a place that the list of %s does not have',
  async list => {
    const { status, body } = await dashboard.owner.open(`${HOME}/${list}?starting_after=none`);
    expect([status, textIn(body)]).toStrictEqual([400, expect.stringContaining('This part of the list is not there')]);
  },
);
