import { atChoice } from '../dashboard-pages';
import { DashboardStage } from '../dashboard-stage';
import { refusalsOf } from '../refusals';
import { ISOLATION_ROWS } from './isolation-rows';
import { PasskeyHolder } from './passkey-holder';

const LIMIT_MS = 60_000;
const HOME = '/dashboard/test';
const SECURITY = `${HOME}/security`;

/** The owner's objects are not of the kind that these forms take. Tests of each send them with other ones. */
const REFUSED = [
  ...['transfers/{id}/attribute', 'events/{id}/redeliver', 'wallets/{id}/verify', 'settings/users/{id}/invite'],
  ...['settings/users/{id}/withdraw', 'settings/users/{id}/role', 'settings/users/{id}/disable'],
];

let dashboard: DashboardStage;

beforeAll(async () => {
  dashboard = await DashboardStage.open({ playsCustomers: true });
}, LIMIT_MS);
afterAll(() => dashboard.close());

it(
  'takes each form about an object, and leads to a page above it or shows a secret',
  async () => {
    const { owner } = dashboard;
    const forms = ISOLATION_ROWS.filter(({ method }) => method === 'POST');
    const refused: string[] = [];
    const wrong: string[] = [];
    for (const { object, route, from: page = SECURITY, fields, asksCode } of forms) {
      const path = route.replace('{mode}', 'test').replace(/\{\w+\}/, await object(dashboard));
      const code = asksCode && { code: owner.merchant.nextCode() };
      const reply = await owner.sendForm(page, path, { ...fields, ...code });
      const { status, headers, body } = reply;
      const name = route.replace('/dashboard/{mode}/', '');
      const isTaken = status === 303 ? path.startsWith(`${headers.location}/`) : body.includes('<code>');
      if (REFUSED.includes(name)) refused.push(...(status < 500 && status >= 400 ? [name] : []));
      else if (!isTaken) wrong.push(...refusalsOf(name, reply), `${name} leads to ${headers.location}`);
    }
    expect([wrong, refused.toSorted()]).toStrictEqual([[], REFUSED.toSorted()]);
  },
  LIMIT_MS,
);

it('takes a passkey, and lets its person in by it', async () => {
  const holder = new PasskeyHolder(dashboard);
  const { answer } = await holder.add('Laptop');
  expect([answer.status, JSON.parse(answer.body).location]).toStrictEqual([200, expect.stringMatching(/\/security$/)]);
  const browser = dashboard.owner.another();
  const signedIn = await holder.signIn(browser);
  expect([signedIn.status, JSON.parse(signedIn.body)]).toStrictEqual([200, { location: '/dashboard' }]);
  expect((await browser.open(SECURITY)).status).toBe(200);
});

it('ends the oldest session for a person who has too many', async () => {
  const choice = await atChoice(dashboard);
  const { status, headers } = await choice.sendForm('/dashboard/choice', '/dashboard/choice', { next: '' });
  expect([status, headers.location]).toStrictEqual([303, '/dashboard']);
  expect((await choice.open(SECURITY)).status).toBe(200);
});
