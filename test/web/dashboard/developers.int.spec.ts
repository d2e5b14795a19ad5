import { operatorContext } from '../../../src/cli/operator-context';
import { coveredPermissions } from '../../../src/modules/api-keys/covered-permissions';
import { users } from '../../../src/modules/users/user.decider';
import {
  webhookEventsReadModel,
  type WebhookEventDocument,
} from '../../../src/modules/webhooks/webhook-events.read-model';
import { recordedEvents } from '../../support/recorded-events';
import { DashboardStage, type PersonBrowser } from '../dashboard-stage';
import { developersObjects, type DevelopersObjects } from './developers-stage';

const TEST = '/dashboard/test';
const SECRET = /<code>((?:sk|rk|pk)_test_\w+|whsec_[\w+/=-]+)<\/code>/;

let dashboard: DashboardStage;
let owner: PersonBrowser;
let objects: DevelopersObjects;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  ({ owner } = dashboard);
  objects = await developersObjects(dashboard);
  dashboard.stage.follow();
}, 60_000);

afterAll(() => dashboard.close());

/** Sends a form of one of the developers' pages; a code goes along unless the fields have one. */
function send(page: string, form: string, fields: object = {}, isRisky = true) {
  const code = isRisky ? { code: dashboard.merchant.nextCode() } : {};
  return owner.sendForm(`${TEST}/${page}`, `${TEST}/${form}`, { ...code, ...fields });
}

async function bodyOf(path: string): Promise<string> {
  const { status, body } = await owner.open(`${TEST}/${path}`);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

const newestEvent = async (category: string) => (await recordedEvents(dashboard.stage.core.store, category)).at(-1);

describe('API keys', () => {
  const terms = { kind: 'sk', name: 'Shop', ends: '30', 'payment:read': 'on', 'payment:create': 'on' };

  it('are minted by a person, with the ticked scopes, and shown this once without compression', async () => {
    const minted = await send('keys/new', 'keys/new', terms);
    expect(minted.status).toBe(200);
    expect(minted.headers['content-encoding']).toBeUndefined();
    expect(minted.headers['cache-control']).toBe('no-store');
    const [, key = ''] = SECRET.exec(minted.body) ?? [];
    expect((await dashboard.merchant.call('GET /v1/payment_intents', { key })).status).toBe(200);
    expect((await dashboard.merchant.call('GET /v1/wallets', { key })).code).toBe('insufficient_scope');
    const event = await newestEvent('api_key');
    expect(event?.type).toBe('ApiKeyMinted');
    expect(event?.metadata.actor).toMatchObject({ role: 'merchant', type: 'user' });
    expect(await bodyOf('keys')).toContain(`…${key.slice(-4)}`);
    expect(await bodyOf('keys')).not.toContain(key);
  });

  it('are made once for two clicks, and the second answer has no secret', async () => {
    const formId = 'ab'.repeat(16);
    const fields = { ...terms, name: 'Twice', code: dashboard.merchant.nextCode() };
    const page = `${TEST}/keys/new`;
    const first = await owner.sendForm(page, page, fields, { formId });
    const second = await dashboard.instance.readOnce.anew(() => owner.sendForm(page, page, fields, { formId }));
    expect(SECRET.test(first.body)).toBe(true);
    expect([second.status, SECRET.test(second.body)]).toEqual([200, false]);
    expect(second.body).toContain('<h1>The secret was shown once</h1>');
    expect(second.body).toContain(`<a href="${page}">Back to the form</a>`);
    expect((await bodyOf('keys')).split('Twice')).toHaveLength(2);
  });

  it('are refused without a code, and the form keeps what was typed', async () => {
    const { status, body } = await send('keys/new', 'keys/new', { ...terms, code: '' });
    expect(status).toBe(401);
    expect(body).toContain('Type the six digits');
    expect(body).toContain('value="Shop"');
  });

  it('need a scope', async () => {
    const { status, body } = await send('keys/new', 'keys/new', { kind: 'sk', name: '', ends: 'never' });
    expect([status, body.includes('role="alert"')]).toEqual([400, true]);
  });

  it('are rotated: the new one is shown, and the old one works on', async () => {
    const rotated = await send(`keys/${objects.key}`, `keys/${objects.key}/rotate`);
    expect(SECRET.test(rotated.body)).toBe(true);
    expect(await bodyOf(`keys/${objects.key}`)).toContain('Rotating');
  });

  it('are revoked for good', async () => {
    const { status, headers } = await send(`keys/${objects.key}`, `keys/${objects.key}/revoke`);
    expect([status, headers.location]).toEqual([303, `${TEST}/keys/${objects.key}`]);
    expect(await bodyOf(`keys/${objects.key}`)).toContain('Revoked');
  });
});

describe('a key that a developer has made', () => {
  const fields = {
    kind: 'sk',
    name: 'Counter',
    ends: 'never',
    'payment:create': 'on',
    'fee:read': 'on',
    'key:manage': 'on',
  };
  const FORBIDDEN = [
    ['payment_intents/{payment}/resolve', { resolution: 'accepted', note: 'I say so.' }],
    ['payment_intents/{payment}/accept', {}],
    ['payment_intents/{payment}/cancel', {}],
    ['payment_intents/{payment}/transaction', { tx_hash: `0x${'a'.repeat(64)}` }],
    ['unmatched_transfers/xfer_00000000000000000000000000/set_aside', { outcome: 'kept', note: 'Mine.' }],
    ['payment_links', { kind: 'fixed', currency: 'EUR', amount: 100 }],
  ] as const;
  const isOwn = ({ name }: { readonly name?: unknown }) => name === fields.name;
  let key: string;

  beforeAll(async () => {
    const developer = await dashboard.invited('developer');
    const page = `${TEST}/keys/new`;
    const minted = await developer.sendForm(page, page, { ...fields, code: developer.ownCode(dashboard.stage.clock) });
    key = SECRET.exec(minted.body)?.[1] ?? '';
  });

  const codesOf = (of: string) =>
    Promise.all(
      FORBIDDEN.map(async ([path, body]) => {
        const line = `POST /v1/${path.replace('{payment}', objects.payment)}`;
        return (await dashboard.merchant.call(line, { key: of, body })).code;
      }),
    );

  it('makes payments, and decides nothing that a developer may not decide', async () => {
    await dashboard.merchant.createIntent({}, { key });
    expect(await codesOf(key)).toEqual(FORBIDDEN.map(() => 'permission_denied'));
    expect(await codesOf(dashboard.merchant.registered.keys.test)).not.toContain('permission_denied');
  });

  it.each(['payments', 'transfers', 'unmatched_transfers', 'fees'])('exports no %s', async kind => {
    const { code } = await dashboard.merchant.call(`GET /v1/exports/${kind}`, { key });
    expect(code).toBe('permission_denied');
  });

  it('gives its own bounds to the keys that it makes, and to its successor', async () => {
    const { merchant } = dashboard;
    const risky = () => ({
      key,
      headers: { 'mfa-code': merchant.nextCode(), 'mfa-user': merchant.registered.user_id },
    });
    const body = { kind: 'sk', scopes: ['payment:create'] };
    const { secret: made } = await merchant.done('POST /v1/api_keys', { ...risky(), body });
    expect(await codesOf(String(made))).toEqual(FORBIDDEN.map(() => 'permission_denied'));
    const keys = await merchant.done('GET /v1/api_keys', { key });
    const own = String(keys.data.find(isOwn)?.id);
    expect(keys.data.find(isOwn)).toMatchObject({ denied: coveredPermissions(['payment:create']) });
    expect(await bodyOf(`keys/${own}`)).toContain('<code>payment.decide</code>');
    const { secret: next } = await merchant.done(`POST /v1/api_keys/${own}/rotate`, risky());
    expect(await codesOf(String(next))).toEqual(FORBIDDEN.map(() => 'permission_denied'));
  });
});

describe('webhook endpoints', () => {
  const fields = { url: 'http://127.0.0.1:9/other', description: 'Second', 'payment.confirmed': 'on' };

  it('are created, and the signing secret is shown this once', async () => {
    const created = await send('webhooks/new', 'webhooks/new', fields);
    expect([created.status, SECRET.test(created.body)]).toEqual([200, true]);
    expect(await bodyOf('webhooks')).toContain('http://127.0.0.1:9/other');
  });

  it('tell what is wrong with an address', async () => {
    const { status, body } = await send('webhooks/new', 'webhooks/new', { ...fields, url: 'ftp://shop.example' });
    expect(status).toBe(400);
    expect(body).toContain('aria-invalid="true"');
    expect(body).toContain('value="ftp://shop.example"');
  });

  it('are changed, disabled and enabled', async () => {
    const at = `webhooks/${objects.endpoint}`;
    const changed = await send(at, `${at}/change`, { ...fields, description: 'Renamed', '*': 'on' });
    expect(changed.status).toBe(303);
    expect(await bodyOf(at)).toContain('Renamed');
    expect((await send(at, `${at}/disable`)).status).toBe(303);
    expect(await bodyOf(at)).toContain('Enable the endpoint');
    expect((await send(at, `${at}/enable`)).status).toBe(303);
    expect(await bodyOf(at)).toContain('Disable the endpoint');
  });

  it('get a new secret, beside which the former one signs', async () => {
    const at = `webhooks/${objects.endpoint}`;
    const rolled = await send(at, `${at}/roll`);
    expect([rolled.status, SECRET.test(rolled.body)]).toEqual([200, true]);
    expect(await bodyOf(at)).toContain('signs until');
  });

  it('list their deliveries', async () => {
    expect(await bodyOf(`webhooks/${objects.endpoint}`)).toContain(`events/${objects.event}">payment.created</a>`);
  });
});

describe('events', () => {
  it('are filtered by type, delivery and payment', async () => {
    expect(await bodyOf(`events?type=payment.created&delivered=&payment_intent=`)).toContain(objects.event);
    expect(await bodyOf(`events?payment_intent=${objects.payment}`)).toContain(objects.event);
    const undelivered = await bodyOf(`events?delivered=false`);
    expect(undelivered).toContain('No delivery</span>');
    expect(undelivered).not.toContain(objects.event);
    const [unheard] = /evt_\w{26}/.exec(undelivered) ?? [];
    expect(await bodyOf(`events/${unheard}`)).toContain('This webhook has no delivery.');
  });

  it('that were not delivered stand apart from those that nobody listened to', async () => {
    const { documents } = dashboard.stage.core;
    const { name, indexes } = webhookEventsReadModel;
    const collection = await documents.open<WebhookEventDocument>({ name, indexes });
    const heard = await collection.get(objects.event);
    const failed = objects.event.replace(/.$/, last => (last === '0' ? '1' : '0'));
    const unheard = { ...heard?.body, deliveries: [], delivered: false } as WebhookEventDocument;
    const facts = { version: 1, body: { ...unheard, exhausted: true } } as const;
    expect(await bodyOf('events?failed=true')).toContain('No delivery has failed');
    await collection.put({ id: failed, ...facts });
    const shown = (await bodyOf('events?failed=true')).match(/evt_\w{26}/g);
    expect([...new Set(shown)]).toEqual([failed]);
  });

  it('show their body and each attempt, and are delivered again', async () => {
    const at = `events/${objects.event}`;
    const before = await bodyOf(at);
    expect(before).toContain('&quot;object&quot;: &quot;payment_intent&quot;');
    const { status, headers } = await send(at, `${at}/redeliver`, { endpoint: objects.endpoint }, false);
    expect([status, headers.location]).toEqual([303, `${TEST}/${at}`]);
    const count = (body: string) => body.split('asked for by hand').length;
    await dashboard.stage.project();
    expect(count(await bodyOf(at))).toBe(count(before) + 1);
  });

  it('go to no unknown endpoint', async () => {
    const at = `events/${objects.event}`;
    const { status } = await send(at, `${at}/redeliver`, { endpoint: 'we_00000000000000000000000000' }, false);
    expect(status).toBe(404);
  });
});

describe('requests', () => {
  it('are listed and filtered, with the answer of each', async () => {
    expect(await bodyOf('requests?status=4&path=&key=')).toContain(objects.request);
    expect(await bodyOf('requests?status=2')).not.toContain(objects.request);
    expect(await bodyOf('requests?path=/v1/fees')).toContain('No such request');
    const body = await bodyOf(`requests/${objects.request}`);
    expect(body).toContain('invalid_amount');
    expect(body).toContain('[redacted]');
  });

  it('open by the address that an error names, for a signed-in person of the merchant', async () => {
    const { headers } = await owner.open(`/dashboard/requests/${objects.request}`);
    const led = await owner.open(String(headers.location));
    expect([led.status, led.headers.location]).toEqual([303, `${TEST}/requests/${objects.request}`]);
  });

  it('still open by a key, and lead nobody else anywhere', async () => {
    const at = `/dashboard/requests/${objects.request}`;
    const { caller } = dashboard.instance;
    const authorization = `Bearer ${dashboard.merchant.registered.keys.test}`;
    const byKey = await caller.send({ method: 'GET', path: at, headers: { authorization, accept: 'text/html' } });
    expect([byKey.status, byKey.body.includes(objects.request)]).toEqual([200, true]);
    const guide = await caller.send({ method: 'GET', path: at, headers: { accept: 'text/html' } });
    expect([guide.status, guide.body.includes('How to read the log')]).toEqual([200, true]);
  });
});

describe('the panel of test mode', () => {
  it('makes a payment, and its customer chooses', async () => {
    const fields = { amount: '12.50', currency: 'eur', description: 'Tea' };
    const { status, headers } = await send('simulate', 'simulate/payments', fields, false);
    expect(status).toBe(303);
    const [, payment = ''] = /simulate\/(pi_\w+)$/.exec(headers.location ?? '') ?? [];
    expect(await bodyOf(`simulate/${payment}`)).toContain('Payment of €12.50');
    const chosen = await send(`simulate/${payment}`, `simulate/${payment}/method`, { token_id: 'usdc-base' }, false);
    expect(chosen.status).toBe(303);
    expect(await bodyOf(`simulate/${payment}`)).toContain('Pays exactly');
    const event = await newestEvent('payment_intent');
    expect(event?.type).toBe('MethodSelected');
    expect(event?.metadata.actor).toMatchObject({ role: 'checkout', type: 'user' });
    const transfer = { outcome: 'exact', token_amount: '' };
    // The stage runs no local chain.
    const { status: refused } = await send(`simulate/${payment}`, `simulate/${payment}/transfer`, transfer, false);
    expect(refused).toBe(402);
  });

  it.each([
    ['an amount that is none', { amount: 'ten', currency: 'EUR' }],
    ['a currency that there is not', { amount: '10', currency: 'EUX' }],
  ])('refuses %s', async (_, fields) => {
    const { status, body } = await send('simulate', 'simulate/payments', { description: '', ...fields }, false);
    expect([status, body.includes('aria-invalid="true"')]).toEqual([400, true]);
  });

  it('advances the clock', async () => {
    const { status } = await send('simulate', 'simulate/clock', { span: '1h' }, false);
    expect(status).toBe(303);
    expect(await bodyOf('simulate')).toContain('1 h ahead of the real time');
  });

  it('is not there in live mode', async () => {
    const { status } = await owner.open('/dashboard/live/simulate');
    expect(status).toBe(404);
  });
});

describe('another merchant', () => {
  it('meets pages as if nothing were there, and changes nothing', async () => {
    const stranger = await dashboard.stranger();
    for (const [kind, id] of [
      ['keys', objects.key], ['webhooks', objects.endpoint], ['events', objects.event], ['requests', objects.request],
    ]) {
      const none = String(id).replace(/_.*/, '_00000000000000000000000000');
      const [others, unknown] = [
        await stranger.open(`${TEST}/${kind}/${id}`),
        await stranger.open(`${TEST}/${kind}/${none}`),
      ];
      expect([kind, others.status]).toEqual([kind, 404]);
      expect(others.body.replaceAll(String(id), none)).toBe(unknown.body);
      expect((await owner.open(`/dashboard/live/${kind}/${id}`)).status).toBe(404);
    } // prettier-ignore
    const code = stranger.merchant.nextCode();
    const at = `${TEST}/keys/${objects.key}`;
    expect((await stranger.sendForm(`${TEST}/keys/new`, `${at}/revoke`, { code })).status).toBe(404);
    expect((await stranger.open(`/dashboard/requests/${objects.request}/open`)).status).toBe(404);
    expect((await stranger.open(`${TEST}/simulate/${objects.payment}`)).status).toBe(404);
  });
});

describe('a person without the permission', () => {
  let viewer: PersonBrowser;

  beforeAll(async () => {
    viewer = await dashboard.stranger('viewer');
    const { core } = dashboard.stage;
    const { user_id: userId } = viewer.merchant.registered;
    const { state } = await core.writes.load(users, 'platform', userId);
    const releasedTerm = state.status === 'active' ? state.ownerTerm : null;
    const context = { ...operatorContext({ ...core, user: 'alice' }), merchantId: viewer.merchant.id };
    await core.writes.execute(users, userId, { type: 'give_role', role: 'viewer', releasedTerm }, context);
  });

  it.each(['keys', 'webhooks', 'events'])('sees the %s, and is offered nothing', async page => {
    const { status, body } = await viewer.open(`${TEST}/${page}`);
    expect([status, body.includes(`${page}/new`)]).toEqual([200, false]);
  });

  it.each(['keys/new', 'webhooks/new', 'requests', 'simulate'])('does not see %s', async page => {
    expect((await viewer.open(`${TEST}/${page}`)).status).toBe(403);
  });

  it.each([
    ['keys/new', { kind: 'sk', name: '', ends: 'never', 'payment:read': 'on' }],
    ['keys/key_00000000000000000000000000/revoke', {}],
    ['webhooks/new', { url: 'http://127.0.0.1:9/hooks', description: '' }],
    ['webhooks/we_00000000000000000000000000/disable', {}],
    ['events/evt_00000000000000000000000000/redeliver', { endpoint: 'we_1' }],
    ['simulate/payments', { amount: '1', currency: 'EUR', description: '' }],
  ])('cannot send %s', async (form, fields) => {
    const code = viewer.merchant.nextCode();
    const sent = await viewer.sendForm(`${TEST}/security`, `${TEST}/${form}`, { ...fields, code });
    expect([sent.status, sent.headers['set-cookie']]).toEqual([403, undefined]);
  });
});
