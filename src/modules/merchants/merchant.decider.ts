import { NEWEST_API_VERSION } from '../../vocabulary/api-versions';
import { refuse } from '../../vocabulary/errors';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { DEFAULT_SETTINGS, type MerchantSettings } from './merchant-settings';
import type { MerchantEvent } from './merchant.events';

type Merchant =
  | { readonly status: 'none' }
  | {
      readonly status: 'active' | 'disabled';
      readonly name: string;
      readonly email: string;
      /** The starting values of each mode: an older account has set them here for both. */
      readonly settings: MerchantSettings;
    };

type MerchantCommand =
  | { readonly type: 'register'; readonly name: string; readonly email: string }
  | { readonly type: 'disable' | 'enable'; readonly reason: string };

function decide(command: MerchantCommand, state: Merchant): readonly MerchantEvent[] {
  if (command.type === 'register') {
    if (state.status !== 'none') throw refuse('duplicate_id');
    return [
      { type: 'MerchantRegistered', data: { name: command.name, email: command.email } },
      // From now on no change of a newer version reaches this account unasked.
      { type: 'ApiVersionPinned', data: { api_version: NEWEST_API_VERSION } },
    ];
  }
  if (state.status === 'none') throw refuse('merchant_not_found');
  switch (command.type) {
    case 'disable':
      if (state.status === 'disabled') return [];
      return [{ type: 'MerchantDisabled', data: { reason: reasonOf(command) } }];
    case 'enable':
      if (state.status === 'active') return [];
      return [{ type: 'MerchantEnabled', data: { reason: reasonOf(command) } }];
    default:
      return unreachable(command);
  }
}

function reasonOf(command: { readonly reason: string }): string {
  if (command.reason.trim() === '') throw refuse('invalid_reason', { param: 'reason' });
  return command.reason;
}

function evolve(state: Merchant, event: MerchantEvent): Merchant {
  if (event.type === 'MerchantRegistered') {
    const { name, email } = event.data;
    return { status: 'active', name, email, settings: DEFAULT_SETTINGS };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'PaymentToleranceSet':
      return withSettings(state, { toleranceBps: event.data.payment_tolerance_bps });
    case 'EnabledTokensSet':
      return withSettings(state, { enabledTokens: event.data.enabled_tokens });
    case 'BrandSet':
      return withSettings(state, { brand: event.data });
    case 'DefaultSuccessUrlSet':
      return withSettings(state, { defaultSuccessUrl: event.data.default_success_url });
    case 'ApiVersionPinned':
      return withSettings(state, { apiVersion: event.data.api_version });
    case 'MerchantDisabled':
      return { ...state, status: 'disabled' };
    case 'MerchantEnabled':
      return { ...state, status: 'active' };
    default:
      return unreachable(event);
  }
}

function withSettings<State extends { readonly settings: MerchantSettings }>(
  state: State,
  settings: Partial<MerchantSettings>,
): State {
  return { ...state, settings: { ...state.settings, ...settings } };
}

export const merchants: Aggregate<Merchant, MerchantCommand, MerchantEvent> = {
  category: 'merchant',
  notFound: 'merchant_not_found',
  initial: { status: 'none' },
  decide,
  evolve,
};
