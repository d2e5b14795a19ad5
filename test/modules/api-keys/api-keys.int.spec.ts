import type { MerchantContext } from '../../../src/kernel/command-context';
import { NEVER_ADVANCED } from '../../../src/vocabulary/clock-standing';
import { isRefusal } from '../../../src/vocabulary/errors';
import type { Mode } from '../../../src/vocabulary/modes';
import { StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { ApiKeyAuthenticator } from '../../../src/modules/api-keys/api-key-authenticator';
import { ApiKeyUses } from '../../../src/modules/api-keys/api-key-uses';
import { MintApiKey, MintApiKeyHandler } from '../../../src/modules/api-keys/commands/mint-api-key.command';
import { RevokeApiKey, RevokeApiKeyHandler } from '../../../src/modules/api-keys/commands/revoke-api-key.command';
import { RotateApiKey, RotateApiKeyHandler } from '../../../src/modules/api-keys/commands/rotate-api-key.command';
import { keyText } from '../../../src/modules/api-keys/key-text';
import { apiKeysReadModel } from '../../../src/modules/api-keys/api-keys.read-model';
import { StoredKeys } from '../../../src/modules/api-keys/stored-keys';
import { SCOPES, type Scope } from '../../../src/vocabulary/scopes';
import { merchants } from '../../../src/modules/merchants/merchant.decider';
import { DEFAULT_SETTINGS, factsOf } from '../../../src/modules/merchants/merchant-settings';
import { sandboxClocks } from '../../../src/modules/sandbox/sandbox-clock.decider';
import { presentApiKey } from '../../../src/modules/api-keys/api/api-key.presenter';
import { getOwn } from '../../../src/platform/http/lists';
import { IdentityFixture, MERCHANT, NOON, OTHER_MERCHANT } from '../merchants/identity-fixture';
import { DEFAULT_PAYMENT_LIMITS } from '../../support/payment-limits';

const DAY_MS = 86_400_000;
const END = '2026-12-01T00:00:00.000Z';
const by = (scopes: readonly Scope[]) => ({ scopes, endsAt: null, withheld: [] });

describe('API keys', () => {
  let fixture: IdentityFixture;
  let uses: ApiKeyUses;
  let authenticator: ApiKeyAuthenticator;
  let minting: MintApiKeyHandler;

  beforeEach(async () => {
    fixture = new IdentityFixture();
    uses = await ApiKeyUses.open(fixture.documents);
    authenticator = new ApiKeyAuthenticator(new StoredKeys(fixture, fixture.access), uses);
    const keys = new StoredKeys(fixture, fixture.access);
    minting = new MintApiKeyHandler(fixture.writePath, fixture, fixture.secretBox, keys);
    for (const id of [MERCHANT, OTHER_MERCHANT]) {
      const register = { type: 'register', name: 'Shop', email: `${id}@example.com` } as const;
      await fixture.writePath.execute(merchants, id, register, fixture.context('platform', id));
    }
  });

  function mint(
    mode: Mode = 'test',
    expiresAt: string | null = null,
    context: MerchantContext = fixture.context(mode),
  ) {
    const terms = { kind: 'sk', name: null, scopes: ['payment:create', 'key:manage'], expiresAt };
    return minting.execute(new MintApiKey(terms, by(SCOPES), context));
  }

  function rotate(
    keyId: string,
    context: MerchantContext = fixture.context('test'),
    grantor: readonly Scope[] = SCOPES,
  ) {
    return new RotateApiKeyHandler(fixture.writePath, minting).execute(new RotateApiKey(keyId, by(grantor), context));
  }

  function revoke(keyId: string, context: MerchantContext = fixture.context('test')) {
    return new RevokeApiKeyHandler(fixture.writePath).execute(new RevokeApiKey(keyId, context));
  }

  function getKey(id: string, merchantId = MERCHANT, mode: Mode = 'test') {
    return getOwn(fixture, apiKeysReadModel, { merchantId, mode }, { prefix: 'key', id, notFound: 'resource_missing' });
  }

  async function outcome(secret: string, now = NOON) {
    try {
      return (await authenticator.authenticate(secret, now)).keyId;
    } catch (error) {
      if (isRefusal(error)) return error.code;
      throw error;
    }
  }

  it('authenticates a key as what it was minted', async () => {
    const { keyId, secret } = await mint('live');
    await expect(authenticator.authenticate(secret, NOON)).resolves.toEqual({
      merchantId: MERCHANT,
      mode: 'live',
      keyId,
      clock: NEVER_ADVANCED,
      nowMs: NOON,
      kind: 'sk',
      scopes: ['payment:create', 'key:manage'],
      withheld: [],
      settings: { ...factsOf(DEFAULT_SETTINGS), api_version: '2026-11-15' },
      limits: DEFAULT_PAYMENT_LIMITS,
      methodTerms: null,
      isPaused: false,
      isClosed: false,
      expiresAt: null,
    });
  });

  it('keeps no text of a key', async () => {
    const { keyId, secret } = await mint();
    const stored = JSON.stringify(await fixture.store.readStream(`test.api_key-${keyId}`));
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(secret.slice(-5));
    expect(stored).toContain(secret.slice(-4));
  });

  it('refuses what is no key without a look-up, and a key that nobody minted', async () => {
    const broken = { find: () => Promise.reject(new Error('looked up')) };
    await expect(new ApiKeyAuthenticator(broken, uses).authenticate('sk_test_guess', NOON)).rejects.toMatchObject({
      code: 'invalid_api_key',
    });
    expect(await outcome(keyText('sk', 'test', fixture.bytes(32)))).toBe('invalid_api_key');
  });

  it('refuses a revoked key at once, even where the documents lag behind', async () => {
    const { keyId, secret } = await mint();
    fixture.mirrors = () => false;
    await revoke(keyId);
    expect(await outcome(secret)).toBe('api_key_revoked');
    await expect(revoke(keyId)).resolves.toMatchObject([{ type: 'ApiKeyMinted' }, { type: 'ApiKeyRevoked' }]);
  });

  it.each([
    ['minted', () => mint()],
    ['rotated', async () => rotate((await mint()).keyId)],
  ])('lets a key in at once that was %s while its document could not be put at first', async (_, make) => {
    let puts = 0;
    fixture.mirrors = () => ++puts % 4 === 0;
    const { keyId, secret } = await make();
    expect(puts % 4).toBe(0);
    expect(await outcome(secret)).toBe(keyId);
  });

  it('lets a key in at once whose documents could not be read at first', async () => {
    const list = jest.spyOn(fixture, 'list');
    list.mockRejectedValueOnce(new StoreUnavailable('away'));
    const { keyId, secret } = await mint();
    expect(await outcome(secret)).toBe(keyId);
  });

  it('shows no key whose document cannot be put for seconds, and the merchant can rotate it once it stands', async () => {
    fixture.mirrors = () => false;
    const context = fixture.context('test');
    await expect(mint('test', null, context)).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(fixture.waitedMs).toBe(100 + 200 + 400 + 800 + 1_600);
    fixture.mirrors = () => true;
    await expect(mint('test', null, context)).rejects.toMatchObject({ code: 'idempotency_response_unavailable' });
    const successor = await rotate(await minting.keyIdOf(context));
    expect(await outcome(successor.secret)).toBe(successor.keyId);
  });

  it('lets a rotated key work for seven days beside its successor', async () => {
    const old = await mint();
    const successor = await rotate(old.keyId);
    expect(await outcome(old.secret, NOON + 7 * DAY_MS - 1)).toBe(old.keyId);
    expect(await outcome(old.secret, NOON + 7 * DAY_MS)).toBe('api_key_expired');
    expect(await outcome(old.secret, NOON + 7 * DAY_MS + 1)).toBe('api_key_expired');
    await expect(authenticator.authenticate(successor.secret, NOON + 7 * DAY_MS)).resolves.toMatchObject({
      keyId: successor.keyId,
      kind: 'sk',
      scopes: ['payment:create', 'key:manage'],
    });
  });

  it('rotates once, also when asked twice at once', async () => {
    const old = await mint();
    const outcomes = await Promise.allSettled([rotate(old.keyId), rotate(old.keyId)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(rotate(old.keyId)).rejects.toMatchObject({ code: 'invalid_state_transition' });
  });

  it('hands out no secret by rotating a key with more scopes than the caller', async () => {
    const old = await mint();
    const refused = rotate(old.keyId, fixture.context('test'), ['key:manage']);
    await expect(refused).rejects.toMatchObject({ code: 'insufficient_scope' });
    expect(await fixture.eventTypes('test', 'api_key', old.keyId)).toEqual(['ApiKeyMinted']);
  });

  it('passes an end on to the successor', async () => {
    const old = await mint('test', '2026-11-20T00:00:00.000Z');
    const successor = await rotate(old.keyId);
    expect(await outcome(successor.secret, Date.parse('2026-11-20T00:00:00.000Z'))).toBe('api_key_expired');
  });

  it('finishes a rotation that a crash broke off, by the same command', async () => {
    const old = await mint();
    const context = fixture.context('test');
    const noEntropy = { bytes: (): never => { throw new Error('crash'); } }; // prettier-ignore
    const keys = new StoredKeys(fixture, fixture.access);
    const crashing = new MintApiKeyHandler(fixture.writePath, noEntropy, fixture.secretBox, keys);
    const broken = new RotateApiKeyHandler(fixture.writePath, crashing);
    await expect(broken.execute(new RotateApiKey(old.keyId, by(SCOPES), context))).rejects.toThrow('crash');
    const successor = await rotate(old.keyId, context);
    expect(await outcome(successor.secret)).toBe(successor.keyId);
    const [, rotated] = await fixture.store.readStream(`test.api_key-${old.keyId}`);
    expect(rotated?.data).toMatchObject({ successor: successor.keyId });
  });

  it('tells the same command, run again, that its secret was shown', async () => {
    const context = fixture.context('test');
    await mint('test', null, context);
    await expect(mint('test', null, context)).rejects.toMatchObject({ code: 'idempotency_response_unavailable' });
  });

  it('lets no key of a disabled account in, and all of them again afterwards', async () => {
    const { keyId, secret } = await mint();
    fixture.mirrors = () => false;
    const context = () => fixture.context('platform');
    await fixture.writePath.execute(merchants, MERCHANT, { type: 'disable', reason: 'fraud' }, context());
    expect(await outcome(secret)).toBe('account_disabled');
    await fixture.writePath.execute(merchants, MERCHANT, { type: 'enable', reason: 'cleared' }, context());
    expect(await outcome(secret)).toBe(keyId);
  });

  it("hides a key from other merchants and from the other mode, as if it didn't exist", async () => {
    const { keyId } = await mint();
    const foreign = fixture.context('test', OTHER_MERCHANT);
    const otherMode = fixture.context('live');
    const get = (merchantId: string, mode: Mode) => getKey(keyId, merchantId, mode);
    for (const attempt of [
      () => revoke(keyId, foreign),
      () => revoke(keyId, otherMode),
      () => rotate(keyId, foreign),
      () => rotate(keyId, otherMode),
      () => get(OTHER_MERCHANT, 'test'),
      () => get(MERCHANT, 'live'),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'resource_missing' });
    }
    expect((await get(MERCHANT, 'test')).id).toBe(keyId);
  });

  it('shows a key without its hash, and as expired once its end is past', async () => {
    const { keyId, secret } = await mint('test', '2026-12-01T00:00:00.000Z');
    const key = await getKey(keyId);
    expect(presentApiKey(key, NOON, null)).toEqual({
      id: keyId,
      object: 'api_key',
      mode: 'test',
      kind: 'sk',
      name: null,
      scopes: ['payment:create', 'key:manage'],
      denied: [],
      last4: secret.slice(-4),
      status: 'active',
      created: '2026-11-01T12:00:00.000Z',
      expires_at: '2026-12-01T00:00:00.000Z',
      last_used_at: null,
      revoked_at: null,
    });
    expect(presentApiKey(key, NOON + 40 * DAY_MS, null).status).toBe('expired');
  });

  it('remembers when a key was last used', async () => {
    const { keyId, secret } = await mint();
    expect(await uses.lastUsedAt(keyId)).toBeNull();
    await authenticator.authenticate(secret, NOON);
    expect(await uses.lastUsedAt(keyId)).toBe('2026-11-01T12:00:00.000Z');
    await uses.flush();
    await authenticator.authenticate(secret, NOON - 1_000);
    const restarted = await ApiKeyUses.open(fixture.documents);
    expect(await restarted.lastUsedAt(keyId)).toBe('2026-11-01T12:00:00.000Z');
    expect(await uses.lastUsedAt(keyId)).toBe('2026-11-01T12:00:00.000Z');
  });

  it("asks for the time of the key's own mode and merchant", async () => {
    const keys = { test: await mint('test', END), live: await mint('live', END) };
    const advance = (merchantId: string) => {
      const command = { type: 'advance', byMs: 40 * DAY_MS, wallMs: NOON } as const;
      return fixture.writePath.execute(sandboxClocks, merchantId, command, fixture.context('test', merchantId));
    };
    await advance(OTHER_MERCHANT);
    expect(await outcome(keys.test.secret)).toBe(keys.test.keyId);
    await advance(MERCHANT);
    expect(await outcome(keys.test.secret)).toBe('api_key_expired');
    expect((await authenticator.authenticate(keys.live.secret, NOON)).nowMs).toBe(NOON);
  });
});
