import type { DomainEvent, RecordedEvent } from '../../src/kernel/event';
import type { Universe } from '../../src/vocabulary/modes';
import type { LogPosition } from '../../src/kernel/log-position';
import {
  applyEvents,
  isTaken,
  mirroredCategory,
  type DocumentChange,
  type Projection,
} from '../../src/kernel/projection';
import type { ApiKeyEvent } from '../../src/modules/api-keys/api-key.events';
import type { MerchantEvent } from '../../src/modules/merchants/merchant.events';
import type { MerchantSettingsEvent } from '../../src/modules/merchants/merchant-settings.events';
import type { UserEvent } from '../../src/modules/users/user.events';
import type { RouteEvent } from '../../src/modules/routes/route.events';
import type { WalletEvent } from '../../src/modules/wallets/wallet.events';
import { apiKeysProjection } from '../../projections/api-keys.projection';
import { merchantSettingsProjection } from '../../projections/merchant-settings.projection';
import { merchantsProjection } from '../../projections/merchants.projection';
import { routesProjection } from '../../projections/routes.projection';
import { usersProjection } from '../../projections/users.projection';
import { walletsProjection } from '../../projections/wallets.projection';

const MERCHANT = 'mch_1';

function recorded(stream: string, universe: Universe, events: readonly DomainEvent[]): readonly RecordedEvent[] {
  return events.map((event, revision) => ({
    ...event,
    id: `${stream}/${revision}`,
    stream,
    revision,
    position: (100 + revision * 7) as LogPosition,
    metadata: {
      actor: { role: 'merchant', type: 'api_key', id: 'key_1' },
      merchant_id: MERCHANT,
      mode: universe,
      command_id: `command-${revision}`,
      request_id: null,
      correlation_id: 'c',
      causation_id: null,
      occurred_at: `2026-11-01T12:00:${String(revision).padStart(2, '0')}.000Z`,
      recorded_at: `2026-11-01T12:00:${String(revision).padStart(2, '0')}.500Z`,
      ip: null,
      schema: 1,
      prev_hash: '',
      hash: '',
    },
  }));
}

const merchant: readonly MerchantEvent[] = [
  { type: 'MerchantRegistered', data: { name: 'Shop', email: 'a@b.example' } },
  { type: 'PaymentToleranceSet', data: { payment_tolerance_bps: 50 } },
  { type: 'EnabledTokensSet', data: { enabled_tokens: ['usdc-base'] } },
  { type: 'BrandSet', data: { name: 'Shop', color: null, logo_url: null } },
  { type: 'DefaultSuccessUrlSet', data: { default_success_url: 'https://a.example/thanks' } },
  { type: 'ApiVersionPinned', data: { api_version: '2026-11-15' } },
  { type: 'MerchantDisabled', data: { reason: 'fraud' } },
  { type: 'MerchantEnabled', data: { reason: 'cleared' } },
  { type: 'FeeRateSet', data: { fee_bps: 40 } },
  { type: 'PaymentCeilingSet', data: { payment_ceiling_usd_minor_units: '5000000' } },
  { type: 'PauseWithdrawn', data: { fee_invoice: 'finv_1' } },
  { type: 'PauseScheduled', data: { fee_invoice: 'finv_2', pauses_at: '2027-01-08T12:00:00.000Z' } },
  { type: 'OwnerReleased', data: { user_id: 'usr_1', term: 1 } },
  { type: 'MerchantClosed', data: { reason: 'asked for' } },
];
const facts = {
  brand: { name: null, color: null, logo_url: null },
  default_success_url: null,
  checkout_restart: false,
  invoice_prefix: 'INV-',
  reminders: [],
  time_zone: 'UTC',
  customer_language: 'en',
} as const;
const settings: readonly MerchantSettingsEvent[] = [
  {
    type: 'SettingsSet',
    data: { ...facts, payment_tolerance_bps: 50, enabled_tokens: ['usdc-base'], api_version: '2026-11-15' },
  },
  {
    type: 'SettingsSet',
    data: { ...facts, payment_tolerance_bps: 0, enabled_tokens: ['usdt-bnb'], api_version: '2026-11-01' },
  },
];
const user: readonly UserEvent[] = [
  { type: 'UserInvited', data: { merchant_id: MERCHANT, email: 'a@b.example', role: 'viewer' } },
  { type: 'InvitationWithdrawn', data: {} },
  { type: 'UserInvited', data: { merchant_id: MERCHANT, email: 'a@b.example', role: 'viewer' } },
  { type: 'InvitationAccepted', data: { name: 'Ada', password_hash: 'f' } },
  { type: 'UserSignedUp', data: { merchant_id: MERCHANT, email: 'a@b.example', name: 'Ada', password_hash: 'g' } },
  {
    type: 'UserRegistered',
    data: { merchant_id: MERCHANT, email: 'a@b.example', password_hash: 'h', totp_secret_sealed: 's' },
  },
  { type: 'AuthenticatorReset', data: { reason: 'lost' } },
  { type: 'PasswordChanged', data: { password_hash: 'i', reason: 'reset' } },
  { type: 'TotpEnrolled', data: { totp_secret_sealed: 't' } },
  { type: 'RecoveryCodesMade', data: { code_hashes: ['c', 'd'] } },
  { type: 'RecoveryCodeUsed', data: { code_hash: 'c' } },
  { type: 'PasskeyAdded', data: { passkey_id: 'psk_1', credential_hash: 'k', name: 'Laptop' } },
  { type: 'PasskeyAdded', data: { passkey_id: 'psk_2', credential_hash: 'l', name: 'Phone' } },
  { type: 'PasskeyRemoved', data: { passkey_id: 'psk_1' } },
  { type: 'RoleGiven', data: { role: 'finance' } },
  { type: 'UserDisabled', data: {} },
  { type: 'UserEnabled', data: {} },
];
const apiKey: readonly ApiKeyEvent[] = [
  {
    type: 'ApiKeyMinted',
    data: { kind: 'rk', name: null, scopes: ['payment:read'], key_hash: 'h', last4: 'wxyz', expires_at: null },
  },
  { type: 'ApiKeyBounded', data: { withheld: ['payment.decide'] } },
  { type: 'ApiKeyRotated', data: { successor: 'key_2', expires_at: '2026-11-08T12:00:00.000Z' } },
  { type: 'ApiKeyRevoked', data: {} },
];
const wallet: readonly WalletEvent[] = [
  { type: 'WalletRegistered', data: { network_id: 'base', address: '0xA', label: 'Till', controls_private_key: true } },
  {
    type: 'WalletChallengeIssued',
    data: { method: 'signed_message', challenge: 't', nonce: 'n', expires_at: '2026-11-01T12:30:00.000Z' },
  },
  { type: 'WalletVerified', data: { method: 'signed_message', verified_at: '2026-11-01T12:00:02.000Z' } },
  { type: 'WalletChanged', data: { label: 'Web shop', dedicated: true } },
];
const usdc = { route_id: 'route_1', asset_symbol: 'USDC', network_id: 'base', token_id: 'usdc-base' } as const;
const usdt = { route_id: 'route_2', asset_symbol: 'USDT', network_id: 'bnb', token_id: 'usdt-bnb' } as const;
const unset = { changed: false, cooling_down_until: null };
const routes: readonly RouteEvent[] = [
  { type: 'RouteSet', data: { ...usdc, wallet_id: 'wal_1', ...unset } },
  { type: 'RouteSet', data: { ...usdt, wallet_id: 'wal_2', ...unset } },
  {
    type: 'RouteSet',
    data: { ...usdc, wallet_id: 'wal_3', changed: true, cooling_down_until: '2026-11-02T12:00:02.000Z' },
  },
];

const cases = [
  [merchantsProjection, 'merchant', recorded('platform.merchant-mch_1', 'platform', merchant)],
  [merchantSettingsProjection, 'merchant_settings', recorded('test.merchant_settings-mch_1', 'test', settings)],
  [usersProjection, 'user', recorded('platform.user-usr_1', 'platform', user)],
  [apiKeysProjection, 'api_key', recorded('test.api_key-key_1', 'test', apiKey)],
  [walletsProjection, 'wallet', recorded('test.wallet-wal_1', 'test', wallet)],
  [routesProjection, 'routes', recorded('test.routes-mch_1', 'test', routes)],
] as unknown as readonly [Projection, string, readonly RecordedEvent[]][];

/** The documents after these deliveries, each of them a run of its own over the documents of those before it. */
function documentsAfter(projection: Projection, deliveries: readonly (readonly RecordedEvent[])[]) {
  const documents = new Map<string, DocumentChange>();
  for (const events of deliveries) {
    const before = (id: string) => {
      const standing = documents.get(id);
      return standing?.body ? { id, version: standing.version, body: standing.body } : null;
    };
    for (const [id, change] of applyEvents(projection, events, before)) documents.set(id, change);
  }
  return documents;
}

describe.each(cases.map(([projection, category, events]) => ({ name: projection.name, projection, category, events })))(
  'projection $name',
  ({ projection, category, events }) => {
    const once = documentsAfter(projection, [events]);

    it('mirrors its category, and its events are all there are in it', () => {
      expect(mirroredCategory(projection)).toBe(category);
      const ignored = events.filter(({ type }) => !isTaken(projection, type)).map(({ type }) => type);
      expect(ignored).toEqual(category === 'wallet' ? ['WalletChallengeIssued'] : []);
      const taken = Object.keys(projection.on).filter(type => isTaken(projection, type));
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set([...taken, ...ignored]));
    });

    it('gives the same documents when every event comes twice, at once or again later', () => {
      const doubled = events.flatMap(event => [event, event]);
      expect(documentsAfter(projection, [doubled])).toEqual(once);
      expect(documentsAfter(projection, [events, events])).toEqual(once);
      expect(
        documentsAfter(
          projection,
          events.flatMap(event => [[event], [event]]),
        ),
      ).toEqual(once);
    });

    it('is not moved back by an old event', () => {
      expect(documentsAfter(projection, [events, ...events.map(event => [event])])).toEqual(once);
    });

    it('survives an event whose first one it never saw', () => {
      const orphan = events.at(-1) as RecordedEvent;
      expect(() => documentsAfter(projection, [[orphan]])).not.toThrow();
    });

    it('keeps the merchant and the mode on each document, and its index fields', () => {
      const fields = new Set(
        Object.values(projection.indexes)
          .flat()
          .filter(field => field !== 'id'),
      );
      for (const { body } of once.values()) {
        expect(body).toMatchObject({ merchant_id: MERCHANT, mode: events[0]?.metadata.mode });
        for (const field of fields) expect(body).toHaveProperty(field);
      }
    });
  },
);

it('folds a whole history into what the API shows', () => {
  const bodies = cases.flatMap(([projection, , events]) => {
    return [...documentsAfter(projection, [events])].map(([id, { body, version }]) => ({ id, version, ...body }));
  });
  const created = '2026-11-01T12:00:00.000Z';
  expect(bodies).toEqual([
    {
      id: 'mch_1', version: 13, merchant_id: 'mch_1', mode: 'platform', name: 'Shop', email: 'a@b.example', status: 'closed',
      disabled_reason: null, closed_reason: 'asked for', payment_tolerance_bps: 50, enabled_tokens: ['usdc-base'],
      brand: { name: 'Shop', color: null, logo_url: null }, default_success_url: 'https://a.example/thanks',
      api_version: '2026-11-15', checkout_restart: false, invoice_prefix: 'INV-', reminders: [], time_zone: 'UTC',
      customer_language: 'en', fee_bps: 40, payment_ceiling_usd_minor_units: '5000000', created,
      pauses: [{ fee_invoice: 'finv_2', pauses_at: '2027-01-08T12:00:00.000Z' }],
    },
    {
      id: 'test.mch_1', version: 1, merchant_id: 'mch_1', mode: 'test', payment_tolerance_bps: 0, enabled_tokens: ['usdt-bnb'],
      brand: { name: null, color: null, logo_url: null }, default_success_url: null, api_version: '2026-11-01',
      checkout_restart: false, invoice_prefix: 'INV-', reminders: [], time_zone: 'UTC',
      customer_language: 'en',
    },
    {
      id: 'usr_1', version: 16, merchant_id: 'mch_1', mode: 'platform', email: 'a@b.example', name: null, role: 'finance',
      status: 'active', email_verified_at: '2026-11-01T12:00:07.000Z', password_hash: 'i',
      password_changed_at: '2026-11-01T12:00:07.000Z', totp_secret_sealed: 't',
      totp_enrolled_at: '2026-11-01T12:00:08.000Z', shows_codes: true, recovery_codes_left: 1,
      created: '2026-11-01T12:00:05.000Z',
      passkeys: [{ id: 'psk_2', credential_hash: 'l', name: 'Phone', added_at: '2026-11-01T12:00:12.000Z' }],
      state: {
        status: 'active', merchantId: 'mch_1', email: 'a@b.example', name: null, role: 'finance', ownerTerm: 1,
        passwordHash: 'i', totpSecretSealed: 't', recoveryCodes: ['d'], hasRecovered: true,
        passkeys: [{ id: 'psk_2', credentialHash: 'l' }],
      },
    },
    {
      id: 'key_1', version: 3, merchant_id: 'mch_1', mode: 'test', kind: 'rk', name: null, scopes: ['payment:read'],
      withheld: ['payment.decide'], key_hash: 'h', last4: 'wxyz', status: 'revoked', successor: 'key_2', created,
      expires_at: '2026-11-08T12:00:00.000Z', revoked_at: '2026-11-01T12:00:03.000Z',
    },
    {
      id: 'wal_1', version: 3, merchant_id: 'mch_1', mode: 'test', network_id: 'base', address: '0xA', label: 'Web shop',
      controls_private_key: true, dedicated: true, status: 'verified', created,
      verification: { method: 'signed_message', verified_at: '2026-11-01T12:00:02.000Z' },
    },
    {
      id: 'route_1', version: 2, merchant_id: 'mch_1', mode: 'test', asset_symbol: 'USDC', network_id: 'base', token_id: 'usdc-base', wallet_id: 'wal_3', created,
      cooling_down_until: '2026-11-02T12:00:02.000Z', updated_at: '2026-11-01T12:00:02.000Z',
    },
    {
      id: 'route_2', version: 1, merchant_id: 'mch_1', mode: 'test', asset_symbol: 'USDT', network_id: 'bnb',
      token_id: 'usdt-bnb', wallet_id: 'wal_2', cooling_down_until: null, created: '2026-11-01T12:00:01.000Z',
      updated_at: '2026-11-01T12:00:01.000Z',
    },
  ]); // prettier-ignore
});
