import type { Reply } from '../../support/http-caller';
import { DashboardStage, type PersonBrowser } from '../dashboard-stage';
import { textIn, typedIn } from './rendered-dashboard';
import { openedFrom, stagedLink } from './staged-business';

const LIMIT_MS = 60_000;
const HOME = '/dashboard/test';
const NEW = `${HOME}/links/new`;
const FIXED = {
  ...{ kind: 'fixed', currency: 'EUR', amount: '25', description: 'Ticket', metadata: '' },
  ...{ success_url: '', max_uses: '', expires_at: '' },
};
const { amount: _, ...TERMS } = FIXED;
const OPEN = { ...TERMS, kind: 'open', min_amount: '5', max_amount: '500' };

let dashboard: DashboardStage;
let owner: PersonBrowser;
let viewer: PersonBrowser;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  ({ owner } = dashboard);
  viewer = await dashboard.invited('viewer');
}, LIMIT_MS);
afterAll(() => dashboard.close());

const make = (fields: object) => owner.sendForm(NEW, NEW, fields);
const idIn = ({ headers }: Reply) => String(headers.location).split('/').at(-1) ?? '';
const linkOf = (id: string) => dashboard.merchant.done(`GET /v1/payment_links/${id}`);

it('makes a link with a fixed amount, once for two clicks', async () => {
  const fields = {
    ...FIXED,
    ...{ amount: '1,234.50', currency: 'eur', description: '<b>Ladder</b>', metadata: 'event=autumn' },
    ...{ success_url: 'https://shop.example/thanks', max_uses: '10', expires_at: '2999-01-31' },
  };
  const sent = { formId: 'a'.repeat(32) };
  const [first, second] = [await owner.sendForm(NEW, NEW, fields, sent), await owner.sendForm(NEW, NEW, fields, sent)];
  expect([first.status, first.headers.location]).toStrictEqual([303, `${HOME}/links/${idIn(first)}`]);
  expect(second.headers.location).toBe(first.headers.location);
  expect(await linkOf(idIn(first))).toMatchObject({
    ...{ kind: 'fixed', currency: 'EUR', amount: '123450', description: '<b>Ladder</b>', max_uses: 10 },
    ...{ metadata: { event: 'autumn' }, success_url: 'https://shop.example/thanks' },
    expires_at: '2999-01-31T23:59:59.999Z',
  });
  const page = await owner.open(`${HOME}/links/${idIn(first)}`);
  expect(page.body).toContain('&lt;b>Ladder&lt;/b>');
  expect(page.body).toContain(`data-copy="${(await linkOf(idIn(first))).url}"`);
  const [event] = await dashboard.stage.core.store.readStream(`test.payment_link-${idIn(first)}`);
  expect(event?.metadata.actor).toMatchObject({ role: 'merchant', type: 'user' });
});

it('makes a link at which customers choose the amount', async () => {
  const made = await make(OPEN);
  expect(await linkOf(idIn(made))).toMatchObject({
    kind: 'open',
    amount: null,
    min_amount: '500',
    max_amount: '50000',
  });
});

it.each([
  [FIXED, 'amount', '', 400],
  [FIXED, 'amount', 'ten', 400],
  [FIXED, 'amount', '1.234', 400],
  [FIXED, 'currency', 'XYZ', 400],
  [FIXED, 'max_uses', '0', 400],
  [FIXED, 'max_uses', 'two', 400],
  [FIXED, 'expires_at', '2020-01-01', 400],
  [FIXED, 'success_url', 'shop', 400],
  [FIXED, 'metadata', 'just words', 400],
  [FIXED, 'metadata', `a=${'x'.repeat(501)}`, 400],
  [OPEN, 'min_amount', '501', 400],
  [OPEN, 'max_amount', '', 400],
])('refuses %j with %s “%s” at its field, and keeps what was typed', async (terms, field, typed, status) => {
  const refused = await make({ ...terms, [field]: typed });
  expect(refused.status).toBe(status);
  expect(refused.body.includes(`id="links-new-${field}-fault"`)).toBe(true);
  const kept = ['description', 'kind', field].map(name => typedIn(refused, name));
  expect(kept).toStrictEqual(['Ticket', terms.kind, typed]);
});

it('lists links by whether they are active, and tells an empty list from an empty kind', async () => {
  const id = await stagedLink(dashboard, { description: `Long ${'text '.repeat(30)}` });
  const list = await owner.open(`${HOME}/links?active=true`);
  expect(list.body).toContain(`href="${HOME}/links/${id}"`);
  expect(list.body).toContain('…');
  expect(textIn((await owner.open('/dashboard/live/links')).body)).toContain('No links yet');
  expect(textIn((await owner.open('/dashboard/live/links?active=false')).body)).toContain('No link of this kind');
});

it('shows the payments that a link has opened, and deactivates it for good', async () => {
  const id = await stagedLink(dashboard);
  const payment = await openedFrom(dashboard, id);
  const page = `${HOME}/links/${id}`;
  const shown = await owner.open(page);
  expect(shown.body).toContain(`href="${HOME}/payments/${payment}"`);
  expect(textIn(shown.body)).toContain('Open');
  const done = await owner.sendForm(page, `${page}/deactivate`);
  expect([done.status, done.headers.location]).toStrictEqual([303, page]);
  expect((await linkOf(id)).active).toBe(false);
  expect((await owner.open(page)).body).not.toContain('links/' + id + '/deactivate');
});

it('offers a viewer nothing that would be refused, and refuses it', async () => {
  const id = await stagedLink(dashboard);
  expect((await viewer.open(`${HOME}/links`)).body).not.toContain('links/new');
  const page = await viewer.open(`${HOME}/links/${id}`);
  expect([page.status, page.body.includes('deactivate')]).toStrictEqual([200, false]);
  expect((await viewer.open(NEW)).status).toBe(403);
  const security = `${HOME}/security`;
  expect((await viewer.sendForm(security, NEW, FIXED)).status).toBe(403);
  expect((await viewer.sendForm(security, `${HOME}/links/${id}/deactivate`)).status).toBe(403);
  expect((await linkOf(id)).active).toBe(true);
});
