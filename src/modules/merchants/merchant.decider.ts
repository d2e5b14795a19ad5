import { refuse } from '../../kernel/errors';
import { unreachable } from '../../kernel/invariant';
import { isTokenId, TOKEN_IDS, type TokenId } from '../../kernel/tokens';
import type { Aggregate } from '../../kernel/write-path';
import type { MerchantEvent } from './merchant.events';

export const DEFAULT_TOLERANCE_BPS = 0;
/** 1%: the specification's ceiling. */
export const MAX_TOLERANCE_BPS = 100;
/** Every approved token: a new merchant starts with all of them. */
export const DEFAULT_ENABLED_TOKENS: readonly TokenId[] = TOKEN_IDS;

export type Merchant =
  | { readonly status: 'none' }
  | {
      readonly status: 'active' | 'disabled';
      readonly name: string;
      readonly email: string;
      readonly toleranceBps: number;
      readonly enabledTokens: readonly TokenId[];
    };

type Registered = Exclude<Merchant, { readonly status: 'none' }>;

export type MerchantCommand =
  | { readonly type: 'register'; readonly name: string; readonly email: string }
  /** Null leaves a setting as it is. */
  | {
      readonly type: 'change_settings';
      readonly toleranceBps: number | null;
      readonly enabledTokens: readonly string[] | null;
    }
  | { readonly type: 'disable' | 'enable'; readonly reason: string };

function decide(command: MerchantCommand, state: Merchant): readonly MerchantEvent[] {
  if (command.type === 'register') {
    if (state.status !== 'none') throw refuse('duplicate_id');
    return [{ type: 'MerchantRegistered', data: { name: command.name, email: command.email } }];
  }
  if (state.status === 'none') throw refuse('merchant_not_found');
  switch (command.type) {
    case 'change_settings':
      return [...toleranceChange(command.toleranceBps, state), ...tokensChange(command.enabledTokens, state)];
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

function toleranceChange(toleranceBps: number | null, state: Registered): readonly MerchantEvent[] {
  if (toleranceBps === null || toleranceBps === state.toleranceBps) return [];
  if (!Number.isInteger(toleranceBps)) throw refuse('invalid_bps', { param: 'payment_tolerance_bps' });
  const allowed = toleranceBps >= 0 && toleranceBps <= MAX_TOLERANCE_BPS;
  if (!allowed) throw refuse('invalid_tolerance', { param: 'payment_tolerance_bps' });
  return [{ type: 'PaymentToleranceSet', data: { payment_tolerance_bps: toleranceBps } }];
}

function tokensChange(tokenIds: readonly string[] | null, state: Registered): readonly MerchantEvent[] {
  if (tokenIds === null) return [];
  const unknown = tokenIds.findIndex(tokenId => !isTokenId(tokenId));
  if (unknown >= 0) throw refuse('unknown_token', { param: `enabled_tokens[${unknown}]` });
  // In the catalogue's order and once each, so that the same set is never a change.
  const enabled = TOKEN_IDS.filter(tokenId => tokenIds.includes(tokenId));
  if (enabled.length === 0) {
    throw refuse('parameter_invalid', { param: 'enabled_tokens', message: 'At least one token must stay enabled.' });
  }
  if (enabled.join() === state.enabledTokens.join()) return [];
  return [{ type: 'EnabledTokensSet', data: { enabled_tokens: enabled } }];
}

function reasonOf(command: { readonly reason: string }): string {
  if (command.reason.trim() === '') throw refuse('invalid_reason', { param: 'reason' });
  return command.reason;
}

function evolve(state: Merchant, event: MerchantEvent): Merchant {
  if (event.type === 'MerchantRegistered') {
    const { name, email } = event.data;
    const settings = { toleranceBps: DEFAULT_TOLERANCE_BPS, enabledTokens: DEFAULT_ENABLED_TOKENS };
    return { status: 'active', name, email, ...settings };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'PaymentToleranceSet':
      return { ...state, toleranceBps: event.data.payment_tolerance_bps };
    case 'EnabledTokensSet':
      return { ...state, enabledTokens: event.data.enabled_tokens };
    case 'MerchantDisabled':
      return { ...state, status: 'disabled' };
    case 'MerchantEnabled':
      return { ...state, status: 'active' };
    default:
      return unreachable(event);
  }
}

export const merchants: Aggregate<Merchant, MerchantCommand, MerchantEvent> = {
  category: 'merchant',
  missing: 'merchant_not_found',
  initial: { status: 'none' },
  decide,
  evolve,
};
