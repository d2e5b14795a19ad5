import { operatorContext } from '../../../src/cli/operator-context';
import { MINUTE_MS } from '../../../src/kernel/clock';
import { exchangeWalletId, exchangeWallets } from '../../../src/modules/wallets/exchange-wallet.decider';
import { developmentWallet } from '../../support/customer';
import { recordedEvents } from '../../support/recorded-events';
import { DashboardStage, type PersonBrowser } from '../dashboard-stage';
import { asViewer, creditDeposit, dropDeposit, seeDeposit } from './wallet-stage';

const LIMIT_MS = 60_000;
const WALLETS = '/dashboard/test/wallets';
const NEW = `${WALLETS}/new`;
const FAULTY_FIELD = /<(?:input|textarea|fieldset)[^>]*id="([\w-]+)"[^>]*aria-invalid="true"/;
const SUMMARY = /<p role="alert">(?:<a href="#([\w-]+)">)?([^<]*)/;

let dashboard: DashboardStage;
let owner: PersonBrowser;
let index = 20;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  ({ owner } = dashboard);
}, LIMIT_MS);
afterAll(() => dashboard.close());

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,])/g, '$1');
const bodyOf = async (path: string) => (await owner.open(path)).body;
const pageText = async (path: string) => textOf(await bodyOf(path));
const withCode = (fields: object) => ({ code: dashboard.merchant.nextCode(), ...fields });
const newestEvent = async () => (await recordedEvents(dashboard.stage.core.store, 'wallet')).at(-1);

/** A wallet that was added by its form, with the key that it stands for. */
async function added(changes: object = {}) {
  const signer = developmentWallet((index += 1));
  const terms = { network_id: 'base', address: signer.address, label: 'Till', controls_private_key: 'on' };
  const { status, headers } = await owner.sendForm(NEW, NEW, withCode({ ...terms, ...changes }));
  expect(status).toBe(303);
  return { path: headers.location ?? '', id: headers.location?.split('/').at(-1) ?? '', signer };
}

const send = (path: string, form: string, fields: object) => owner.sendForm(path, `${path}/${form}`, fields);
const challengeIn = (body: string) =>
  (/data-message="([^"]*)"/.exec(body)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

describe('adding a wallet', () => {
  const TERMS = { network_id: 'base', label: 'Till', controls_private_key: 'on' };

  it('is an act of the person, and leads to the proof', async () => {
    const { path, signer } = await added({ label: 'Front <desk>' });
    expect(path).toMatch(/^\/dashboard\/test\/wallets\/wal_\w+$/);
    const event = await newestEvent();
    expect(event).toMatchObject({ type: 'WalletRegistered', data: { address: signer.address, label: 'Front <desk>' } });
    expect(event?.metadata.actor).toStrictEqual({
      ...{ role: 'merchant', type: 'user', id: owner.merchant.registered.user_id },
    });
    const body = await bodyOf(path);
    expect(textOf(body)).toContain('Choose how to prove it');
    expect(body).toContain('Front &lt;desk>');
    expect(await bodyOf(WALLETS)).toContain('Front &lt;desk>');
  });

  it('adds one wallet for two clicks', async () => {
    const { address } = developmentWallet((index += 1));
    const fields = withCode({ ...TERMS, address });
    const formId = 'ab'.repeat(16);
    const [one, two] = [
      await owner.sendForm(NEW, NEW, fields, { formId }),
      await dashboard.instance.readOnce.anew(() => owner.sendForm(NEW, NEW, fields, { formId })),
    ];
    expect([one.status, two.status]).toStrictEqual([303, 303]);
    expect(two.headers.location).toBe(one.headers.location);
  });

  it.each([
    ['a mistyped address', { address: '0x1111' }, 400, 'wallets-new-address'],
    ['an address of another network', { network_id: 'tron' }, 400, 'wallets-new-address'],
    ['no network', { network_id: undefined }, 400, 'wallets-new-network_id'],
    ['no declaration', { controls_private_key: undefined }, 400, 'wallets-new-controls_private_key'],
    ['no label', { label: ' ' }, 400, 'wallets-new-label'],
    ['a wrong code', { code: '000000' }, 401, 'wallets-new-code'],
  ])('keeps what was typed where it is refused for %s', async (_, changes, status, field) => {
    const { address } = developmentWallet((index += 1));
    const typed = withCode({ ...TERMS, address, ...changes });
    const fields = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined));
    const refused = await owner.sendForm(NEW, NEW, fields);
    expect([refused.status, SUMMARY.exec(refused.body)?.[1]]).toStrictEqual([status, field]);
    expect(refused.body).toContain(`id="${field}"`);
    expect(refused.body).toContain(`id="${field}-fault"`);
    expect(refused.body).toContain(`value="${'address' in changes ? changes.address : address}"`);
    expect(refused.body).not.toContain('value="000000"');
  });

  it('is refused for an address that was added before', async () => {
    const { signer } = await added();
    const again = await owner.sendForm(NEW, NEW, withCode({ ...TERMS, address: signer.address }));
    expect([again.status, SUMMARY.exec(again.body)?.[1]]).toStrictEqual([409, 'wallets-new-address']);
  });

  it('warns in live mode until the list of exchange wallets is filled, and refuses its addresses', async () => {
    const LIVE = '/dashboard/live/wallets';
    const warning = 'The list of exchange wallets is empty.';
    expect(await pageText(LIVE)).toContain(warning);
    expect(await pageText(`${LIVE}/new`)).toContain(
      `${warning} So no address is refused as an exchange’s. Add only wallets`,
    );
    expect(await pageText(NEW)).not.toContain(warning);
    const { core } = dashboard.stage;
    const { address } = developmentWallet((index += 1));
    const known = { entity: 'An exchange', role: 'hot', source: 'test', source_ref: null, confidence: 'high' } as const;
    const where = { network_id: 'base', address, added_at: '2026-11-01T00:00:00.000Z', active: true } as const;
    const listing = { ...known, ...where };
    const context = operatorContext({ ...core, user: 'alice' });
    await core.writes.execute(exchangeWallets, exchangeWalletId('base', address), { type: 'list', listing }, context);
    expect(await pageText(LIVE)).not.toContain(warning);
    const refused = await owner.sendForm(`${LIVE}/new`, `${LIVE}/new`, withCode({ ...TERMS, address }));
    expect([refused.status, textOf(refused.body)]).toStrictEqual([
      400,
      expect.stringContaining('An exchange holds the'),
    ]);
  });
});

describe('proving a wallet by a signature', () => {
  it('shows the text to sign, and verifies by it', async () => {
    const { path, signer } = await added();
    expect((await send(path, 'challenge', { method: 'signed_message' })).headers.location).toBe(path);
    const body = await bodyOf(path);
    const challenge = challengeIn(body);
    expect(challenge).toContain(`Address: ${signer.address}`);
    expect(body).toContain('data-chain-id="0x14a34"');
    const signature = await signer.signMessage(challenge);
    const done = await send(path, 'verify', withCode({ signature: `${signature}\n` }));
    expect([done.status, done.headers.location]).toStrictEqual([303, path]);
    expect(await newestEvent()).toMatchObject({ type: 'WalletVerified', data: { method: 'signed_message' } });
    expect((await newestEvent())?.metadata.actor).toMatchObject({ type: 'user' });
    expect(await pageText(path)).toContain('Proved by a signed message');
    expect(await pageText(path)).toContain('Set a route');
  });

  it('tells at the field of a signature that proves nothing, and of a wrong code at its own', async () => {
    const { path } = await added();
    await send(path, 'challenge', { method: 'signed_message' });
    const signature = await developmentWallet(1).signMessage(challengeIn(await bodyOf(path)));
    const refused = await send(path, 'verify', withCode({ signature }));
    expect([refused.status, FAULTY_FIELD.exec(refused.body)?.[1]]).toStrictEqual([
      400,
      expect.stringMatching(/-signature$/),
    ]);
    expect(refused.body).toContain(`${signature}</textarea>`);
    const uncoded = await send(path, 'verify', { signature, code: '123' });
    expect([uncoded.status, FAULTY_FIELD.exec(uncoded.body)?.[1]]).toStrictEqual([
      401,
      expect.stringMatching(/-code$/),
    ]);
  });

  it('is asked for anew once the text has lapsed', async () => {
    const { path, signer } = await added();
    await send(path, 'challenge', { method: 'signed_message' });
    const former = challengeIn(await bodyOf(path));
    dashboard.stage.clock.aheadMs += 31 * MINUTE_MS;
    await owner.signIn();
    expect(await pageText(path)).toContain('The text has lapsed');
    const late = await send(path, 'verify', withCode({ signature: await signer.signMessage(former) }));
    expect([late.status, SUMMARY.exec(late.body)?.slice(1)]).toStrictEqual([
      400,
      [undefined, 'The challenge has lapsed: ask for a new one.'],
    ]);
    await send(path, 'challenge', { method: 'signed_message' });
    expect(challengeIn(await bodyOf(path))).not.toBe(former);
  });

  it.each([[{}], [{ method: 'none' }]])('is refused at the choice without a way: %j', async fields => {
    const { path } = await added();
    const refused = await send(path, 'challenge', fields);
    expect([refused.status, SUMMARY.exec(refused.body)?.[1]]).toStrictEqual([400, expect.stringMatching(/-method$/)]);
  });

  it('offers no micro-deposit on a network that is not watched', async () => {
    const { path } = await added({ network_id: 'tron', address: 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj' });
    expect(await bodyOf(path)).not.toContain('micro_deposit');
    const refused = await send(path, 'challenge', { method: 'micro_deposit' });
    expect([refused.status, textOf(refused.body)]).toStrictEqual([
      400,
      expect.stringContaining('cannot be verified by'),
    ]);
  });
});

describe('proving a wallet by a micro-deposit', () => {
  const asked = async () => {
    const wallet = await added();
    expect((await send(wallet.path, 'challenge', { method: 'micro_deposit' })).status).toBe(303);
    return wallet;
  };
  const versionOf = async (path: string) => /data-page-version="([^"]*)"/.exec(await bodyOf(path))?.[1];

  it('shows the exact amount with its end, follows the deposit, and ends as verified', async () => {
    const { path, id } = await asked();
    const body = await bodyOf(path);
    expect(textOf(body)).toMatch(/0\.00\d{4} USDC/);
    expect(body).toContain('data-copy="0x00000000000000000000000000000000ce717171"');
    expect(body).toMatch(/role="timer"[^>]*data-ends="\d+"/);
    const before = await versionOf(path);
    expect(await versionOf(path)).toBe(before);
    await seeDeposit(dashboard, id);
    expect(await pageText(path)).toContain('The deposit is seen.');
    expect(await versionOf(path)).not.toBe(before);
    await creditDeposit(dashboard, id);
    expect(await pageText(path)).toContain('Proved by a micro-deposit');
  });

  it('says why a deposit that was seen does not count, and waits on', async () => {
    const { path, id } = await asked();
    await seeDeposit(dashboard, id);
    await dropDeposit(dashboard, id);
    const text = await pageText(path);
    expect(text).toContain('has left the chain again');
    expect(text).toMatch(/0\.00\d{4} USDC/);
  });

  it('says what to do once it has lapsed, and still follows one that was sent in time', async () => {
    const { path, id } = await asked();
    dashboard.stage.clock.aheadMs += 31 * MINUTE_MS;
    await owner.signIn();
    expect(await pageText(path)).toContain('No such deposit was seen in time: do not send it any more.');
    await send(path, 'challenge', { method: 'micro_deposit' });
    expect(await pageText(path)).toMatch(/0\.00\d{4} USDC/);
    await seeDeposit(dashboard, id, 0);
    expect(await pageText(path)).toContain('The deposit is seen.');
  });
});

describe('changing a wallet', () => {
  it('takes another label and the declaration, and takes the declaration back', async () => {
    const { path } = await added();
    await send(path, 'change', withCode({ label: 'Shop', dedicated: 'on' }));
    expect(await newestEvent()).toMatchObject({ type: 'WalletChanged', data: { label: 'Shop', dedicated: true } });
    expect(await pageText(path)).toContain('Dedicated: nothing but payments of this service');
    await send(path, 'change', withCode({ label: 'Shop' }));
    expect(await newestEvent()).toMatchObject({ data: { label: 'Shop', dedicated: false } });
  });

  it('keeps what was typed where it is refused', async () => {
    const { path } = await added();
    const refused = await send(path, 'change', withCode({ label: ' ', dedicated: 'on' }));
    expect([refused.status, FAULTY_FIELD.exec(refused.body)?.[1]]).toStrictEqual([
      400,
      expect.stringMatching(/-label$/),
    ]);
    expect(refused.body).toMatch(/<input[^>]*name="dedicated"[^>]*checked/);
    expect((await newestEvent())?.type).toBe('WalletRegistered');
  });
});

describe('a viewer', () => {
  it('sees the wallets without forms, and may change none', async () => {
    const viewer = await dashboard.stranger('viewer');
    const { address } = developmentWallet((index += 1));
    const { id } = await viewer.merchant.registerWallet({ address });
    await asViewer(dashboard, viewer);
    const path = `${WALLETS}/${String(id)}`;
    const bodies = [(await viewer.open(WALLETS)).body, (await viewer.open(path)).body];
    expect(textOf(bodies.join())).toContain('An owner of the account has to prove that this wallet is yours.');
    for (const body of bodies) expect(body).not.toMatch(/wallets\/new|wal_\w+\/(?:change|challenge|verify)/);
    expect((await viewer.open(NEW)).status).toBe(403);
    const fields = { label: 'Mine', code: viewer.merchant.nextCode() };
    const refused = await viewer.sendForm('/dashboard/test/security', `${path}/change`, fields);
    expect([refused.status, textOf(refused.body)]).toStrictEqual([
      403,
      expect.stringContaining('This is not for your role'),
    ]);
  });
});
