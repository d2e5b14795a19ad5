import type { CommandBus } from '@nestjs/cqrs';
import { WrongExpectedRevision } from '../../../src/kernel/ports/event-store';
import { isRefusal } from '../../../src/vocabulary/errors';
import { ApiKeyAuthenticator } from '../../../src/modules/api-keys/api-key-authenticator';
import { ApiKeyUses } from '../../../src/modules/api-keys/api-key-uses';
import { MintApiKeyHandler, type MintApiKey } from '../../../src/modules/api-keys/commands/mint-api-key.command';
import { StoredKeys } from '../../../src/modules/api-keys/stored-keys';
import { SCOPES } from '../../../src/vocabulary/scopes';
import {
  RegisterMerchant,
  RegisterMerchantHandler,
  type RegisteredMerchant,
} from '../../../src/processes/accounts/register-merchant';
import { Passwords } from '../../../src/modules/users/password';
import { userIdOfEmail } from '../../../src/modules/users/registration';
import { merchantsProjection } from '../../../projections/merchants.projection';
import { usersProjection } from '../../../projections/users.projection';
import { IdentityFixture, NOON } from '../../modules/merchants/identity-fixture';

const EMAIL = 'owner@example.com';
const PASSWORD = 'violet harbour 42';

describe('registering a merchant', () => {
  let fixture: IdentityFixture;
  let handler: RegisterMerchantHandler;
  let passwords: Passwords;

  beforeEach(() => {
    fixture = new IdentityFixture();
    passwords = new Passwords(fixture, { log2N: 10, r: 8, p: 1 });
    const keys = new StoredKeys(fixture, fixture.access);
    const minting = new MintApiKeyHandler(fixture.writePath, fixture, fixture.secretBox, keys);
    const bus = { execute: (command: MintApiKey) => minting.execute(command) } as unknown as CommandBus;
    handler = new RegisterMerchantHandler(fixture.writePath, bus, passwords, fixture, fixture.secretBox);
  });

  function register(
    email = EMAIL,
    name = 'Corner Shop',
    password = PASSWORD,
    context = fixture.context('platform', null),
  ) {
    return handler.execute(new RegisterMerchant(name, email, password, context));
  }

  it('makes an account, its owner and a key a mode', async () => {
    const registered = await register();
    expect(registered).toEqual<RegisteredMerchant>({
      merchant_id: expect.stringMatching(/^mch_[0-9a-z]{26}$/) as string,
      user_id: userIdOfEmail(EMAIL),
      totp_secret: expect.stringMatching(/^[A-Z2-7]{32}$/) as string,
      keys: {
        test: expect.stringMatching(/^sk_test_\w{49}$/) as string,
        live: expect.stringMatching(/^sk_live_\w{49}$/) as string,
      },
    });
    const merchant = await fixture.get(merchantsProjection, 'platform', registered.merchant_id);
    expect(merchant?.body).toEqual({
      merchant_id: registered.merchant_id,
      mode: 'platform',
      name: 'Corner Shop',
      email: EMAIL,
      status: 'active',
      disabled_reason: null,
      closed_reason: null,
      payment_tolerance_bps: 0,
      enabled_tokens: ['usdt-tron', 'usdt-bnb', 'usdc-base'],
      brand: { name: null, color: null, logo_url: null },
      default_success_url: null,
      api_version: '2026-11-15',
      checkout_restart: false,
      fee_bps: 50,
      payment_ceiling_usd_minor_units: '100000000',
      pauses: [],
      invoice_prefix: 'INV-',
      reminders: [],
      time_zone: 'UTC',
      customer_language: 'en',
      created: '2026-11-01T12:00:00.000Z',
    });
  });

  it('stores no password and no secret in the clear', async () => {
    const { user_id, totp_secret, merchant_id } = await register();
    const user = await fixture.get(usersProjection, 'platform', user_id);
    expect(user?.body.merchant_id).toBe(merchant_id);
    expect(await passwords.matches(PASSWORD, user?.body.password_hash ?? '', null)).toBe(true);
    expect(await fixture.secretBox.open(user?.body.totp_secret_sealed ?? '', user_id)).toBe(totp_secret);
    expect(JSON.stringify(user)).not.toContain(totp_secret);
  });

  it('makes keys that authenticate with every scope, each in its mode', async () => {
    const { keys, merchant_id: merchantId } = await register();
    const stored = new StoredKeys(fixture, fixture.access);
    const authenticator = new ApiKeyAuthenticator(stored, await ApiKeyUses.open(fixture.documents));
    for (const mode of ['test', 'live'] as const) {
      const authenticated = await authenticator.authenticate(keys[mode], NOON);
      expect(authenticated).toMatchObject({ merchantId, mode, kind: 'sk', scopes: SCOPES });
    }
  });

  it.each([
    ['parameter_invalid', 'email', 'not an address', 'Shop', PASSWORD],
    ['parameter_missing', 'name', EMAIL, ' ', PASSWORD],
    ['parameter_invalid', 'password', EMAIL, 'Shop', 'short'],
  ])('refuses %s of %s and writes nothing', async (code, param, email, name, password) => {
    await expect(register(email, name, password)).rejects.toMatchObject({ code, param });
    expect(await fixture.store.lastPosition()).toBe(-1);
  });

  it('refuses an address that is registered, in whatever case, and writes nothing', async () => {
    await register();
    const before = await fixture.store.lastPosition();
    await expect(register('OWNER@example.com')).rejects.toMatchObject({ code: 'parameter_invalid', param: 'email' });
    expect(await fixture.store.lastPosition()).toBe(before);
  });

  it('gives one address to one of two registrations at once, and closes the other account', async () => {
    const outcomes = await Promise.allSettled([register(), register()]);
    const failed = outcomes.filter(outcome => outcome.status === 'rejected');
    expect(failed).toHaveLength(1);
    expect(isRefusal(failed[0]?.reason, 'parameter_invalid')).toBe(true);
    const stored = await fixture.list(merchantsProjection, { index: 'by_created', equals: {}, limit: 10 });
    expect(stored.map(({ body }) => body.status).sort()).toEqual(['active', 'disabled']);
    const winner = outcomes.find(outcome => outcome.status === 'fulfilled');
    expect(stored.find(({ body }) => body.status === 'active')?.id).toBe(winner?.value.merchant_id);
  });

  it('leaves the account open where other writers crowd the user out', async () => {
    const { store } = fixture;
    store.append = (
      append =>
      async (stream, ...rest) => {
        if (stream.startsWith('platform.user-')) throw new WrongExpectedRevision(stream, -1, 0);
        return append(stream, ...rest);
      }
    )(store.append.bind(store));
    await expect(register()).rejects.toMatchObject({ code: 'provider_unavailable' });
    const stored = await fixture.list(merchantsProjection, { index: 'by_created', equals: {}, limit: 10 });
    expect(stored.map(({ body }) => body.status)).toEqual(['active']);
  });

  it('shows its secrets once: the same command again is told so', async () => {
    const context = fixture.context('platform', null);
    await register(EMAIL, 'Shop', PASSWORD, context);
    await expect(register(EMAIL, 'Shop', PASSWORD, context)).rejects.toMatchObject({
      code: 'idempotency_response_unavailable',
    });
  });
});
