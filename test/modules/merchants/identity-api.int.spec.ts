import { Global, Module } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Wallet } from 'ethers';
import { generateSync } from 'otplib';
import type { Clock } from '../../../src/kernel/clock';
import { AccessReader } from '../../../src/kernel/access-reader';
import { PORTS } from '../../../src/kernel/ports/injection';
import { WritePath } from '../../../src/kernel/write-path';
import { AccountsModule } from '../../../src/composition/accounts.module';
import { ApiKeyAuthenticator } from '../../../src/modules/api-keys/api-key-authenticator';
import { ApiKeysModule } from '../../../src/modules/api-keys/api-keys.module';
import { RegisterMerchant } from '../../../src/processes/accounts/register-merchant';
import { ACCOUNT_MAIL } from '../../../src/modules/users/account-mail';
import { SIGN_UP } from '../../../src/modules/users/sign-up';
import { UsersModule } from '../../../src/modules/users/users.module';
import { TotpVerifier } from '../../../src/modules/users/totp-verifier';
import { BARRED_CODES_NOTICE } from '../../../src/modules/users/wrong-codes';
import { RoutesModule } from '../../../src/modules/routes/routes.module';
import { CHALLENGE_DOMAIN } from '../../../src/modules/wallets/commands/issue-wallet-challenge.command';
import { MESSAGE_SIGNATURES, RecoveredSignatures } from '../../../src/modules/wallets/message-signatures';
import { VERIFICATION_ADDRESSES } from '../../../src/modules/wallets/verification-method';
import { WalletsModule } from '../../../src/modules/wallets/wallets.module';
import { recoverSigner } from '../../../src/platform/chains/evm/signed-message';
import { KeyAuthentication, MfaVerification, type MfaAttempt } from '../../../src/platform/http/authentication';
import { createHttpApp } from '../../../src/platform/http/http-app';
import { createLogger } from '../../../src/platform/logging/logger';
import { IdentityFixture } from './identity-fixture';

type Answer = {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly code: unknown;
  readonly param: unknown;
};

const fixture = new IdentityFixture();
const owner = new Wallet(`0x${'11'.repeat(32)}`);
const STEP_MS = 30_000;

/** The clock is the fixture's, with a wait that only its end can end: deferred writes are made at the close. */
const clock: Clock = {
  now: () => fixture.nowMs,
  wait: (_, signal) => new Promise(resolve => signal?.addEventListener('abort', () => resolve(), { once: true })),
};

@Global()
@Module({
  providers: [
    { provide: WritePath, useValue: fixture.writePath },
    { provide: AccessReader, useValue: fixture.access },
    { provide: PORTS.clock, useValue: clock },
    { provide: PORTS.entropy, useValue: fixture },
    { provide: PORTS.readModels, useValue: fixture },
    { provide: PORTS.documents, useValue: fixture.documents },
    { provide: PORTS.secretBox, useValue: fixture.secretBox },
    { provide: PORTS.log, useValue: createLogger({ level: 'silent' }) },
    { provide: MESSAGE_SIGNATURES, useValue: new RecoveredSignatures({ bnb: recoverSigner, base: recoverSigner }) },
    { provide: VERIFICATION_ADDRESSES, useValue: { addressOf: () => null } },
    { provide: CHALLENGE_DOMAIN, useValue: 'pay.example' },
    { provide: BARRED_CODES_NOTICE, useValue: { tell: () => Promise.resolve() } },
    { provide: ACCOUNT_MAIL, useValue: { put: () => Promise.resolve() } },
    { provide: SIGN_UP, useValue: 'closed' },
  ],
  exports: [
    AccessReader, WritePath, PORTS.clock, PORTS.entropy, PORTS.readModels, PORTS.documents, PORTS.secretBox, PORTS.log,
    MESSAGE_SIGNATURES, VERIFICATION_ADDRESSES, CHALLENGE_DOMAIN, BARRED_CODES_NOTICE, ACCOUNT_MAIL,
    SIGN_UP,
  ], // prettier-ignore
})
class PortsModule {}

@Module({
  imports: [CqrsModule.forRoot(), PortsModule, AccountsModule, UsersModule, ApiKeysModule, WalletsModule, RoutesModule],
  providers: [
    {
      provide: KeyAuthentication,
      useFactory: (keys: ApiKeyAuthenticator) => ({
        authenticate: (text: string) => keys.authenticate(text, fixture.nowMs),
      }),
      inject: [ApiKeyAuthenticator],
    },
    {
      provide: MfaVerification,
      useFactory: (totp: TotpVerifier) => ({
        verify: ({ merchantId, keyId, action, user, code, commandId }: MfaAttempt) =>
          totp.verify({ merchantId, keyId, action, userId: user, code, commandId }),
      }),
      inject: [TotpVerifier],
    },
  ],
})
class IdentityModule {}

describe('wallets, routes and keys over HTTP', () => {
  let app: NestFastifyApplication;
  let baseUrl: string;
  let key: string;
  let totpSecret: string;

  beforeAll(async () => {
    const publicUrl = 'https://pay.example';
    const config = {
      publicUrl,
      docsUrl: `${publicUrl}/docs`,
      dashboardUrl: publicUrl,
      modes: ['test', 'live'],
    } as const;
    app = await createHttpApp(IdentityModule, {
      config,
      log: createLogger({ level: 'silent' }),
      clock,
      entropy: fixture,
    });
    await app.listen(0, '127.0.0.1');
    baseUrl = await app.getUrl();
    const context = fixture.context('platform', null);
    const register = new RegisterMerchant('Corner Shop', 'owner@example.com', 'violet harbour 42', context);
    const registered = await app.get(CommandBus).execute(register);
    key = registered.keys.test;
    totpSecret = registered.totp_secret;
  });

  afterAll(() => app.close());

  /** A code of a step that was never used. */
  function freshCode(): string {
    fixture.nowMs += STEP_MS;
    return generateSync({ secret: totpSecret, epoch: fixture.nowMs / 1_000 });
  }

  async function call(
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    payload?: object,
    code?: string,
    as = key,
  ): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${as}`,
      ...(payload && { 'content-type': 'application/json' }),
      ...(code && { 'mfa-code': code }),
    };
    const sent = payload && { body: JSON.stringify(payload) };
    const response = await fetch(`${baseUrl}${url}`, { method, headers, ...sent });
    const body = (await response.json()) as Record<string, unknown>;
    const error = body.error as { readonly code: string; readonly param?: string } | undefined;
    return { status: response.status, body, code: error?.code, param: error?.param };
  }

  const wallet = { network_id: 'base', address: owner.address, label: 'Till', controls_private_key: true };

  it('takes a wallet from registration to a route', async () => {
    const registered = await call('POST', '/v1/wallets', wallet, freshCode());
    expect(registered).toMatchObject({ status: 200, body: { object: 'wallet', status: 'pending' } });
    const id = String(registered.body.id);
    const issued = await call('POST', `/v1/wallets/${id}/challenge`, { method: 'signed_message' });
    expect(Object.keys(issued.body)).toEqual(['challenge', 'expires_at']);
    const signature = await owner.signMessage(String(issued.body.challenge));
    const proof = { method: 'signed_message', signature, challenge: issued.body.challenge };
    const verified = await call('POST', `/v1/wallets/${id}/verify`, proof, freshCode());
    expect(verified).toMatchObject({ status: 200, body: { id, status: 'verified' } });
    expect(await call('GET', `/v1/wallets/${id}`)).toMatchObject({ status: 200, body: verified.body });
    const routes = { routes: [{ asset_symbol: 'USDC', network_id: 'base', wallet_id: id }] };
    const set = await call('PUT', '/v1/routes', routes, freshCode());
    expect(set.status).toBe(200);
    expect(set.body).toEqual((await call('GET', '/v1/routes')).body);
    expect(set.body).toMatchObject({ object: 'list', url: '/v1/routes', has_more: false });
    expect(set.body.data).toMatchObject([{ object: 'route', token_id: 'usdc-base', wallet_id: id }]);
    expect(JSON.stringify([set.body, verified.body])).not.toContain('merchant_id');
  });

  it('asks for a one-time code, after validation and once each', async () => {
    expect(await call('POST', '/v1/wallets', wallet)).toMatchObject({ status: 401, code: 'mfa_required' });
    const code = freshCode();
    expect(await call('POST', '/v1/wallets', { ...wallet, label: 7 }, code)).toMatchObject({
      status: 400,
      code: 'parameter_invalid',
      param: 'label',
    });
    expect(await call('POST', '/v1/wallets', wallet, code)).toMatchObject({ status: 409, code: 'duplicate_wallet' });
    expect(await call('POST', '/v1/wallets', wallet, code)).toMatchObject({ status: 401, code: 'mfa_proof_invalid' });
  });

  it.each<[string, string, string, object]>([
    ['parameter_missing', 'label', '/v1/wallets', { ...wallet, label: undefined }],
    ['parameter_invalid', 'note', '/v1/wallets', { ...wallet, note: 'x' }],
    ['parameter_invalid', 'controls_private_key', '/v1/wallets', { ...wallet, controls_private_key: 'true' }],
    ['invalid_address', 'address', '/v1/wallets', { ...wallet, address: 7 }],
    ['parameter_invalid', 'method', '/v1/wallets/wal_1/challenge', { method: 'email' }],
    ['parameter_missing', 'method', '/v1/wallets/wal_1/verify', {}],
    ['invalid_challenge_field', 'signature', '/v1/wallets/wal_1/verify', { method: 'signed_message', signature: 7 }],
    ['invalid_key_kind', 'kind', '/v1/api_keys', { kind: 'xk', scopes: ['payment:read'] }],
    ['parameter_missing', 'scopes', '/v1/api_keys', { kind: 'sk' }],
    ['invalid_scope', 'scopes', '/v1/api_keys', { kind: 'sk', scopes: ['payment:write'] }],
    ['invalid_scope', 'scopes', '/v1/api_keys', { kind: 'sk', scopes: 'payment:read' }],
    ['invalid_timestamp', 'expires_at', '/v1/api_keys', { kind: 'sk', scopes: ['payment:read'], expires_at: '2027' }],
  ])('refuses %s of %s at %s', async (code, param, path, body) => {
    expect(await call('POST', path, body)).toMatchObject({ status: 400, code, param });
  });

  it.each<[string, string, object]>([
    ['parameter_missing', 'routes', {}],
    ['parameter_invalid', 'routes', { routes: [] }],
    ['parameter_invalid', 'routes', { routes: 'all' }],
    ['parameter_missing', 'routes[0].wallet_id', { routes: [{ asset_symbol: 'USDC', network_id: 'base' }] }],
  ])('refuses %s of %s in routes', async (code, param, body) => {
    expect(await call('PUT', '/v1/routes', body)).toMatchObject({ status: 400, code, param });
  });

  it('mints, rotates, lists and revokes keys', async () => {
    const terms = { kind: 'rk', name: 'Till', scopes: ['key:read', 'wallet:read'] };
    const minted = await call('POST', '/v1/api_keys', terms, freshCode());
    expect(minted).toMatchObject({
      status: 200,
      body: { object: 'api_key', mode: 'test', status: 'active', kind: 'rk' },
    });
    const secret = String(minted.body.secret);
    expect(await call('GET', '/v1/wallets', undefined, undefined, secret)).toMatchObject({ status: 200 });
    expect(await call('GET', '/v1/routes', undefined, undefined, secret)).toMatchObject({ code: 'insufficient_scope' });
    const id = String(minted.body.id);
    const rotated = await call('POST', `/v1/api_keys/${id}/rotate`, undefined, freshCode());
    expect(rotated).toMatchObject({ status: 200, body: { status: 'active', name: 'Till', scopes: terms.scopes } });
    expect(rotated.body.id).not.toBe(id);
    expect(await call('GET', `/v1/api_keys/${id}`)).toMatchObject({ body: { status: 'rotating' } });
    const revoked = await call('POST', `/v1/api_keys/${id}/revoke`, undefined, freshCode());
    expect(revoked).toMatchObject({ status: 200, body: { id, status: 'revoked' } });
    expect(revoked.body.last_used_at).not.toBeNull();
    expect(await call('GET', '/v1/wallets', undefined, undefined, secret)).toMatchObject({ code: 'api_key_revoked' });
    const page = await call('GET', '/v1/api_keys?limit=2');
    expect(page.body).toMatchObject({ object: 'list', url: '/v1/api_keys', has_more: true });
    const ids = (page.body.data as { readonly id: string }[]).map(item => item.id);
    expect(ids).toEqual([rotated.body.id, id]);
    const next = await call('GET', `/v1/api_keys?limit=2&starting_after=${id}`);
    expect(next.body).toMatchObject({ has_more: false, data: [{ scopes: expect.any(Array) as unknown, kind: 'sk' }] });
    expect(JSON.stringify([page.body, next.body])).not.toMatch(/secret|hash|merchant_id/);
  });

  it('gives a key no scope beyond those of the caller', async () => {
    const poor = { kind: 'rk', scopes: ['key:manage'] };
    const minted = await call('POST', '/v1/api_keys', poor, freshCode());
    const secret = String(minted.body.secret);
    const more = { kind: 'rk', scopes: ['key:read', 'payment:read'] };
    expect(await call('POST', '/v1/api_keys', more, freshCode(), secret)).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
    });
  });

  it('bounds what a key makes and ends by its own end and scopes', async () => {
    const expires_at = new Date(fixture.nowMs + 3_600_000).toISOString();
    const ending = { kind: 'rk', scopes: ['key:manage', 'payment:read'], expires_at };
    const minted = await call('POST', '/v1/api_keys', ending, freshCode());
    const secret = String(minted.body.secret);
    const endless = { kind: 'rk', scopes: ['payment:read'] };
    expect(await call('POST', '/v1/api_keys', endless, freshCode(), secret)).toMatchObject({
      status: 400,
      code: 'parameter_invalid',
    });
    const own = await call('POST', '/v1/api_keys', { ...endless, expires_at }, freshCode(), secret);
    expect(own).toMatchObject({ status: 200, body: { expires_at } });
    const powerful = await call('POST', '/v1/api_keys', { kind: 'sk', scopes: ['wallet:manage'] }, freshCode());
    const revoke = (id: unknown) => call('POST', `/v1/api_keys/${String(id)}/revoke`, undefined, freshCode(), secret);
    expect(await revoke(powerful.body.id)).toMatchObject({ status: 403, code: 'insufficient_scope' });
    expect(await revoke(own.body.id)).toMatchObject({ status: 200, body: { status: 'revoked' } });
  });

  it('gives proofs for actions within the scopes of the key alone, and takes no code for others', async () => {
    const minted = await call('POST', '/v1/api_keys', { kind: 'rk', scopes: ['payment:read'] }, freshCode());
    const weak = String(minted.body.secret);
    const code = freshCode();
    const proof = (action: string, as: string) =>
      call('POST', '/v1/mfa/proofs', { method: 'totp', code, action }, undefined, as);
    for (const action of ['wallet.create', 'api_key.revoke', 'route.change'])
      expect(await proof(action, weak)).toMatchObject({ status: 403, code: 'insufficient_scope' });
    expect(await proof('payment.create', weak)).toMatchObject({ status: 400, code: 'parameter_invalid' });
    expect(await proof('wallet.create', key)).toMatchObject({ status: 200, body: { action: 'wallet.create' } });
  });

  it('lets the owner revoke a key that has sent too many wrong codes, by another key and by itself', async () => {
    const minted = await call('POST', '/v1/api_keys', { kind: 'rk', scopes: ['key:manage'] }, freshCode());
    const [id, weak] = [String(minted.body.id), String(minted.body.secret)];
    const rotate = (code: string) => call('POST', `/v1/api_keys/${id}/rotate`, undefined, code, weak);
    const right = freshCode();
    const wrong = right === '000000' ? '000001' : '000000';
    for (let count = 0; count < 10; count++) expect(await rotate(wrong)).toMatchObject({ code: 'mfa_proof_invalid' });
    expect(await rotate(right)).toMatchObject({ status: 429, code: 'rate_limit' });
    expect(await call('POST', `/v1/api_keys/${id}/revoke`, undefined, right, weak)).toMatchObject({
      status: 200,
      body: { status: 'revoked' },
    });
    const again = { kind: 'rk', scopes: ['payment:read'] };
    expect(await call('POST', '/v1/api_keys', again, freshCode())).toMatchObject({ status: 200 });
  });

  it('tells no guesses apart of a barred key for the end of keys, by proofs or by revoking', async () => {
    const minted = await call('POST', '/v1/api_keys', { kind: 'rk', scopes: ['key:manage'] }, freshCode());
    const [id, stolen] = [String(minted.body.id), String(minted.body.secret)];
    const right = freshCode();
    const wrong = right === '000000' ? '000001' : '000000';
    const prove = (code: string) =>
      call('POST', '/v1/mfa/proofs', { method: 'totp', code, action: 'api_key.revoke' }, undefined, stolen);
    const revoke = (code: string) => call('POST', `/v1/api_keys/${id}/revoke`, undefined, code, stolen);
    for (let count = 0; count < 10; count++) {
      expect(await prove(wrong)).toMatchObject({ code: 'mfa_proof_invalid' });
      expect(await revoke(wrong)).toMatchObject({ code: 'mfa_proof_invalid' });
    }
    for (const ask of [prove, revoke]) expect(await ask(right)).toMatchObject({ status: 429, code: 'rate_limit' });
    expect(await call('POST', `/v1/api_keys/${id}/revoke`, undefined, right)).toMatchObject({ status: 200 });
  });
});
