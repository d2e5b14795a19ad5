import type { DecisionContext } from '../../../src/kernel/decider';
import type { ErrorCode } from '../../../src/vocabulary/errors';
import {
  apiKeys,
  ROTATION_GRACE_MS,
  type ApiKeyCommand,
  type Grantor,
  type MintTerms,
} from '../../../src/modules/api-keys/api-key.decider';
import type { ApiKeyEvent, ApiKeyMinted } from '../../../src/modules/api-keys/api-key.events';
import { grants, SCOPES, type Scope } from '../../../src/vocabulary/scopes';
import { given } from '../../support/given-when-then';

const NOW = Date.parse('2026-11-01T12:00:00.000Z');
const context: DecisionContext = { actor: { role: 'merchant', type: 'api_key', id: 'key_caller' }, now: NOW };
const terms: MintTerms = { kind: 'rk', name: 'Till', scopes: ['payment:create'], expiresAt: null };
const data: ApiKeyMinted['data'] = {
  kind: 'rk',
  name: 'Till',
  scopes: ['payment:create'],
  key_hash: 'hash',
  last4: 'wxyz',
  expires_at: null,
};
const minted: ApiKeyEvent = { type: 'ApiKeyMinted', data };
const rotated: ApiKeyEvent = {
  type: 'ApiKeyRotated',
  data: { successor: 'key_2', expires_at: '2026-11-08T12:00:00.000Z' },
};
const revoked: ApiKeyEvent = { type: 'ApiKeyRevoked', data: {} };
const END = '2026-12-01T00:00:00.000Z';
const LATER = '2026-12-01T00:00:00.001Z';
const rotate = { type: 'rotate', successor: 'key_2', grantor: by() } as const;
const revoke = { type: 'revoke', grantor: by() } as const;

function by(scopes: readonly Scope[] = SCOPES, endsAt: string | null = null): Grantor {
  return { scopes, endsAt, withheld: [] };
}

function mint(changes: Partial<MintTerms> = {}, grantor = by()): ApiKeyCommand {
  return { type: 'mint', terms: { ...terms, ...changes }, grantor, keyHash: 'hash', last4: 'wxyz' };
}

describe('a key of a person who lacks permissions', () => {
  const limited = { ...by(), withheld: ['payment.cancel', 'payment.decide'] } as const;
  const bounded: ApiKeyEvent = { type: 'ApiKeyBounded', data: { withheld: limited.withheld } };

  it('lacks them as well, where one of its scopes covers them', () => {
    given(apiKeys, []).when(mint({}, limited), context).then([minted, bounded]);
    const reading = { ...data, scopes: ['payment:read'] as Scope[] };
    given(apiKeys, [])
      .when(mint({ scopes: reading.scopes }, limited), context)
      .then([{ type: 'ApiKeyMinted', data: reading }]);
  });

  it('is rotated by that person, and a key with more is not', () => {
    given(apiKeys, [minted, bounded])
      .when({ ...rotate, grantor: limited }, context)
      .then([rotated]);
    given(apiKeys, [minted])
      .when({ ...rotate, grantor: limited }, context)
      .thenRefused('insufficient_scope');
    const most = { ...bounded, data: { withheld: ['payment.decide'] } } as const;
    given(apiKeys, [minted, most])
      .when({ ...rotate, grantor: limited }, context)
      .thenRefused('insufficient_scope');
    expect(given(apiKeys, [minted, bounded]).when(rotate, context).then([rotated])).toMatchObject({
      withheld: limited.withheld,
    });
  });

  it('is revoked by either: an end gives nobody more', () => {
    given(apiKeys, [minted])
      .when({ ...revoke, grantor: limited }, context)
      .then([revoked]);
  });
});

describe('minting', () => {
  it('makes a key of the terms', () => {
    given(apiKeys, []).when(mint(), context).then([minted]);
    given(apiKeys, [minted]).when(mint(), context).thenRefused('duplicate_api_key');
  });

  it('names each scope once, in the order of the vocabulary', () => {
    const scopes = ['payment:read', 'payment:create', 'payment:read'];
    const expected: Scope[] = ['payment:create', 'payment:read'];
    given(apiKeys, [])
      .when(mint({ scopes }), context)
      .then([{ type: 'ApiKeyMinted', data: { ...data, scopes: expected } }]);
  });

  it.each<[ErrorCode, Partial<MintTerms>, string | null]>([
    ['invalid_key_kind', { kind: 'ck' }, 'kind'],
    ['parameter_invalid', { name: 'n'.repeat(101) }, 'name'],
    ['parameter_invalid', { name: 'two\nlines' }, 'name'],
    ['invalid_scope', { scopes: [] }, 'scopes'],
    ['invalid_scope', { scopes: ['payment:read', 'payment:write'] }, 'scopes[1]'],
    ['publishable_scope_forbidden', { kind: 'pk' }, 'scopes'],
    ['invalid_timestamp', { expiresAt: 'tomorrow' }, 'expires_at'],
    ['invalid_timestamp', { expiresAt: '2027-02-30T00:00:00Z' }, 'expires_at'],
    ['invalid_timestamp', { expiresAt: '2027-01-01T00:00:00+01:00' }, 'expires_at'],
    ['parameter_invalid', { expiresAt: '2026-11-01T12:00:00Z' }, 'expires_at'],
    // Where two faults meet, the earlier check speaks.
    ['invalid_key_kind', { kind: 'ck', scopes: [] }, 'kind'],
    ['invalid_scope', { scopes: [], expiresAt: 'tomorrow' }, 'scopes'],
  ])('refuses %s for %j', (code, changes, param) => {
    given(apiKeys, []).when(mint(changes), context).thenRefused(code, param);
  });

  it('lets a publishable key read', () => {
    given(apiKeys, [])
      .when(mint({ kind: 'pk', scopes: ['payment:read'] }), context)
      .then([{ type: 'ApiKeyMinted', data: { ...data, kind: 'pk', scopes: ['payment:read'] } }]);
  });

  it('ends a key when it is told to, by a time in one form', () => {
    given(apiKeys, [])
      .when(mint({ expiresAt: '2027-01-01T00:00:00Z' }), context)
      .then([{ type: 'ApiKeyMinted', data: { ...data, expires_at: '2027-01-01T00:00:00.000Z' } }]);
  });

  it('gives no scope that the grantor has not got', () => {
    given(apiKeys, [])
      .when(mint({}, by(['key:manage', 'payment:read'])), context)
      .thenRefused('insufficient_scope');
    given(apiKeys, [])
      .when(mint({ scopes: ['payment:read'] }, by(['payment:create'])), context)
      .then([{ type: 'ApiKeyMinted', data: { ...data, scopes: ['payment:read'] } }]);
  });
});

describe('a caller whose own key ends', () => {
  it('mints no key that lives on', () => {
    for (const expiresAt of [null, LATER])
      given(apiKeys, [])
        .when(mint({ expiresAt }, by(SCOPES, END)), context)
        .thenRefused('parameter_invalid', 'expires_at');
    given(apiKeys, [])
      .when(mint({ expiresAt: END }, by(SCOPES, END)), context)
      .then([{ type: 'ApiKeyMinted', data: { ...data, expires_at: END } }]);
  });

  it('rotates no key whose successor lives on', () => {
    const ending = (expires_at: string): ApiKeyEvent => ({ type: 'ApiKeyMinted', data: { ...data, expires_at } });
    const rotation = { ...rotate, grantor: by(SCOPES, END) };
    given(apiKeys, [minted]).when(rotation, context).thenRefused('insufficient_scope');
    given(apiKeys, [ending(LATER)])
      .when(rotation, context)
      .thenRefused('insufficient_scope');
    given(apiKeys, [ending(END)])
      .when(rotation, context)
      .then([rotated]);
  });
});

describe.each(SCOPES)('a caller with %s', held => {
  const noun = held.slice(0, held.indexOf(':'));
  const own = held.endsWith(':read') ? [held] : [held, `${noun}:read`];

  it.each(SCOPES)('gives %s where that is its own or what it implies, and nothing else', wanted => {
    const minting = given(apiKeys, []).when(mint({ scopes: [wanted] }, by([held])), context);
    if (own.includes(wanted)) minting.then([{ type: 'ApiKeyMinted', data: { ...data, scopes: [wanted] } }]);
    else minting.thenRefused('insufficient_scope');
  });

  it('rotates no key that has more', () => {
    const powerful: ApiKeyEvent = { type: 'ApiKeyMinted', data: { ...data, scopes: SCOPES } };
    given(apiKeys, [powerful])
      .when({ ...rotate, grantor: by([held]) }, context)
      .thenRefused('insufficient_scope');
  });
});

describe('rotating', () => {
  it('lets the old key work for seven days more', () => {
    expect(ROTATION_GRACE_MS).toBe(7 * 24 * 3_600_000);
    given(apiKeys, [minted]).when(rotate, context).then([rotated]);
  });

  it('never makes a key outlive its own end', () => {
    const soon: ApiKeyEvent = { type: 'ApiKeyMinted', data: { ...data, expires_at: '2026-11-03T00:00:00.000Z' } };
    given(apiKeys, [soon])
      .when(rotate, context)
      .then([{ type: 'ApiKeyRotated', data: { successor: 'key_2', expires_at: '2026-11-03T00:00:00.000Z' } }]);
    const past: DecisionContext = { ...context, now: Date.parse('2026-11-03T00:00:00.000Z') };
    given(apiKeys, [soon]).when(rotate, past).thenRefused('invalid_state_transition');
  });

  it('is for active keys, by somebody with their scopes', () => {
    given(apiKeys, []).when(rotate, context).thenRefused('resource_missing');
    given(apiKeys, [minted, rotated]).when(rotate, context).thenRefused('invalid_state_transition');
    given(apiKeys, [minted, revoked]).when(rotate, context).thenRefused('invalid_state_transition');
    const poor = { ...rotate, grantor: by(['key:manage']) };
    given(apiKeys, [minted]).when(poor, context).thenRefused('insufficient_scope');
  });
});

describe('revoking', () => {
  it('holds for active and rotating keys, and once', () => {
    given(apiKeys, [minted]).when(revoke, context).then([revoked]);
    given(apiKeys, [minted, rotated]).when(revoke, context).then([revoked]);
    given(apiKeys, [minted, revoked]).when(revoke, context).then([]);
    given(apiKeys, []).when(revoke, context).thenRefused('resource_missing');
  });

  it('is for keys that have no more scopes than the caller', () => {
    given(apiKeys, [minted])
      .when({ ...revoke, grantor: by(['key:manage']) }, context)
      .thenRefused('insufficient_scope');
    given(apiKeys, [minted])
      .when({ ...revoke, grantor: by(['payment:create'], END) }, context)
      .then([revoked]);
  });
});

describe('scopes', () => {
  it('imply reading what they write', () => {
    expect(grants(['payment:create'], 'payment:read')).toBe(true);
    expect(grants(['wallet:manage'], 'wallet:read')).toBe(true);
    expect(grants(['payment:read'], 'payment:create')).toBe(false);
    expect(grants(['wallet:manage'], 'webhook:read')).toBe(false);
    expect(grants(['webhook_url:manage'], 'webhook:read')).toBe(false);
  });
});
