import { NEWEST_API_VERSION } from '../../../src/vocabulary/api-versions';
import type { DecisionContext } from '../../../src/kernel/decider';
import { merchants } from '../../../src/modules/merchants/merchant.decider';
import type { OwnerTerm } from '../../../src/modules/merchants/owner-terms';
import type { MerchantEvent } from '../../../src/modules/merchants/merchant.events';
import { given } from '../../support/given-when-then';

const admin: DecisionContext = { actor: { role: 'admin', type: 'admin', id: 'adm_1' }, now: 0 };
const registered: MerchantEvent = { type: 'MerchantRegistered', data: { name: 'Shop', email: 'a@b.example' } };
const pinned: MerchantEvent = { type: 'ApiVersionPinned', data: { api_version: NEWEST_API_VERSION } };
const disabled: MerchantEvent = { type: 'MerchantDisabled', data: { reason: 'fraud' } };

describe('a merchant', () => {
  const register = { type: 'register', name: 'Shop', email: 'a@b.example' } as const;

  it('registers once', () => {
    given(merchants, []).when(register, admin).then([registered, pinned]);
    given(merchants, [registered]).when(register, admin).thenRefused('duplicate_id');
  });

  it('is unknown before it is registered', () => {
    given(merchants, []).when({ type: 'disable', reason: 'fraud' }, admin).thenRefused('merchant_not_found');
  });

  it('keeps what was set for both modes once, as the starting values of each', () => {
    const set: readonly MerchantEvent[] = [
      { type: 'PaymentToleranceSet', data: { payment_tolerance_bps: 100 } },
      { type: 'EnabledTokensSet', data: { enabled_tokens: ['usdc-base'] } },
      { type: 'BrandSet', data: { name: 'Shop', color: null, logo_url: null } },
      { type: 'DefaultSuccessUrlSet', data: { default_success_url: 'https://shop.example/thanks' } },
    ];
    expect(given(merchants, [registered, pinned, ...set]).state).toMatchObject({
      settings: {
        toleranceBps: 100,
        enabledTokens: ['usdc-base'],
        brand: { name: 'Shop', color: null, logo_url: null },
        defaultSuccessUrl: 'https://shop.example/thanks',
        apiVersion: NEWEST_API_VERSION,
      },
    });
  });

  it('is disabled and enabled with a reason', () => {
    given(merchants, [registered]).when({ type: 'disable', reason: ' fraud ' }, admin).then([disabled]);
    given(merchants, [registered, disabled]).when({ type: 'disable', reason: 'again' }, admin).then([]);
    given(merchants, [registered]).when({ type: 'disable', reason: ' ' }, admin).thenRefused('invalid_reason');
    given(merchants, [registered, disabled])
      .when({ type: 'enable', reason: 'cleared\n' }, admin)
      .then([{ type: 'MerchantEnabled', data: { reason: 'cleared' } }]);
  });

  it('is closed for good, with a reason, also where it was disabled', () => {
    const closed: MerchantEvent = { type: 'MerchantClosed', data: { reason: 'asked for' } };
    const close = { type: 'close', reason: ' asked for ' } as const;
    for (const history of [[registered], [registered, disabled]])
      given(merchants, history).when(close, admin).then([closed]);
    given(merchants, [registered, closed]).when(close, admin).then([]);
    given(merchants, [registered])
      .when({ ...close, reason: '' }, admin)
      .thenRefused('invalid_reason', 'reason');
    for (const type of ['enable', 'disable'] as const)
      given(merchants, [registered, closed])
        .when({ type, reason: 'again' }, admin)
        .thenRefused('invalid_state_transition');
  });
});

describe('the owners of a merchant', () => {
  const [ada, bo] = [
    { userId: 'usr_ada', term: 1 },
    { userId: 'usr_bo', term: 1 },
  ] as const;
  const released: MerchantEvent = { type: 'OwnerReleased', data: { user_id: 'usr_ada', term: 1 } };
  const release = (owner: OwnerTerm, ...others: readonly OwnerTerm[]) =>
    ({ type: 'release_owner', owner, others }) as const;

  it('are released while another one stays', () => {
    given(merchants, [registered]).when(release(ada, bo), admin).then([released]);
    given(merchants, [registered, released]).when(release(ada, bo), admin).then([]);
  });

  it('keep the last one', () => {
    given(merchants, [registered]).when(release(ada), admin).thenRefused('invalid_state_transition');
    given(merchants, [registered, released]).when(release(bo, ada), admin).thenRefused('invalid_state_transition');
  });

  it('count again in a later term', () => {
    const again: MerchantEvent = { type: 'OwnerReleased', data: { user_id: 'usr_bo', term: 1 } };
    given(merchants, [registered, released])
      .when(release(bo, { ...ada, term: 2 }), admin)
      .then([again]);
  });
});
