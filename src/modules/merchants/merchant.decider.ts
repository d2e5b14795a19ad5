import { NEWEST_API_VERSION } from '../../vocabulary/api-versions';
import { refuse } from '../../vocabulary/errors';
import { DEFAULT_CEILING_USD_MINOR_UNITS } from '../../vocabulary/payment-limits';
import { checkedReason } from '../../vocabulary/reasons';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { DEFAULT_FEE_BPS, MAX_FEE_BPS } from '../fees/fee-schedule';
import { DEFAULT_SETTINGS, type MerchantSettings } from './merchant-settings';
import type { MerchantEvent } from './merchant.events';
import { isReleased, lastOwner, type OwnerTerm, type ReleasedTerms } from './owner-terms';

const MAX_CEILING_DIGITS = 30;

type Merchant =
  | { readonly status: 'none' }
  | {
      readonly status: 'active' | 'disabled' | 'closed';
      readonly name: string;
      readonly email: string;
      /** The starting values of each mode: an older account has set them here for both. */
      readonly settings: MerchantSettings;
      readonly feeBps: number;
      readonly ceilingUsdMinorUnits: bigint;
      /** The fee invoices that ever had a pause scheduled, and those that never will. */
      readonly pauses: Readonly<Record<string, 'scheduled' | 'withdrawn'>>;
      /** The newest term of each owner that may end, by user. */
      readonly released: ReleasedTerms;
    };

type MerchantCommand =
  | { readonly type: 'register'; readonly name: string; readonly email: string }
  | { readonly type: 'disable' | 'enable' | 'close'; readonly reason: string }
  | { readonly type: 'set_fee_rate'; readonly bps: number }
  | { readonly type: 'set_limits'; readonly bps: number; readonly ceilingUsdMinorUnits: bigint }
  | { readonly type: 'schedule_pause'; readonly feeInvoice: string; readonly pausesAt: string }
  | { readonly type: 'withdraw_pause'; readonly feeInvoice: string }
  /** `others` are the other active owners, as read after this stream was. */
  | { readonly type: 'release_owner'; readonly owner: OwnerTerm; readonly others: readonly OwnerTerm[] };

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
      refuseClosed(state);
      if (state.status === 'disabled') return [];
      return [{ type: 'MerchantDisabled', data: { reason: checkedReason(command.reason) } }];
    case 'enable':
      refuseClosed(state);
      if (state.status === 'active') return [];
      return [{ type: 'MerchantEnabled', data: { reason: checkedReason(command.reason) } }];
    case 'close':
      if (state.status === 'closed') return [];
      return [{ type: 'MerchantClosed', data: { reason: checkedReason(command.reason) } }];
    case 'set_fee_rate':
      return state.feeBps === command.bps ? [] : [{ type: 'FeeRateSet', data: { fee_bps: feeRateOf(command) } }];
    case 'set_limits': {
      const ceiling = ceilingOf(command);
      const bps = feeRateOf(command);
      return [
        ...(ceiling === state.ceilingUsdMinorUnits ? [] : [ceilingSet(ceiling)]),
        ...(bps === state.feeBps ? [] : [{ type: 'FeeRateSet', data: { fee_bps: bps } } as const]),
      ];
    }
    case 'schedule_pause': {
      // A payment that was told first has withdrawn the pause for good.
      const { feeInvoice: fee_invoice, pausesAt: pauses_at } = command;
      return fee_invoice in state.pauses ? [] : [{ type: 'PauseScheduled', data: { fee_invoice, pauses_at } }];
    }
    case 'withdraw_pause': {
      const { feeInvoice: fee_invoice } = command;
      return state.pauses[fee_invoice] === 'withdrawn' ? [] : [{ type: 'PauseWithdrawn', data: { fee_invoice } }];
    }
    case 'release_owner': {
      const { userId: user_id, term } = command.owner;
      if (isReleased(state.released, command.owner)) return [];
      // An owner who is not released stays one until this stream says otherwise, so at least one is always left.
      if (command.others.every(other => isReleased(state.released, other)))
        throw lastOwner('This is the last owner of the account.');
      return [{ type: 'OwnerReleased', data: { user_id, term } }];
    }
    default:
      return unreachable(command);
  }
}

/** A closed account is never opened again, in no way. */
function refuseClosed({ status }: Pick<Merchant, 'status'>): void {
  if (status === 'closed') throw refuse('invalid_state_transition', { message: 'A closed account stays closed.' });
}

function feeRateOf({ bps }: { readonly bps: number }): number {
  if (!Number.isInteger(bps) || bps < 0 || bps > MAX_FEE_BPS) {
    const message = `A fee is a whole number of basis points, from 0 to ${MAX_FEE_BPS}.`;
    throw refuse('invalid_bps', { param: 'fee_bps', message });
  }
  return bps;
}

function ceilingOf({ ceilingUsdMinorUnits: ceiling }: { readonly ceilingUsdMinorUnits: bigint }): bigint {
  if (ceiling > 0n && ceiling.toString().length <= MAX_CEILING_DIGITS) return ceiling;
  const message = `A ceiling is whole dollar cents, of 1 to ${MAX_CEILING_DIGITS} digits, above zero.`;
  throw refuse('invalid_amount', { param: 'payment_ceiling_usd', message });
}

function ceilingSet(ceiling: bigint): MerchantEvent {
  return { type: 'PaymentCeilingSet', data: { payment_ceiling_usd_minor_units: ceiling.toString() } };
}

function evolve(state: Merchant, event: MerchantEvent): Merchant {
  if (event.type === 'MerchantRegistered') {
    const { name, email } = event.data;
    const starting = { settings: DEFAULT_SETTINGS, feeBps: DEFAULT_FEE_BPS, pauses: {}, released: {} };
    const ceilingUsdMinorUnits = DEFAULT_CEILING_USD_MINOR_UNITS;
    return { status: 'active', name, email, ...starting, ceilingUsdMinorUnits };
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
    case 'MerchantClosed':
      return { ...state, status: 'closed' };
    case 'FeeRateSet':
      return { ...state, feeBps: event.data.fee_bps };
    case 'PaymentCeilingSet':
      return { ...state, ceilingUsdMinorUnits: BigInt(event.data.payment_ceiling_usd_minor_units) };
    case 'PauseScheduled':
      return { ...state, pauses: { ...state.pauses, [event.data.fee_invoice]: 'scheduled' } };
    case 'PauseWithdrawn':
      return { ...state, pauses: { ...state.pauses, [event.data.fee_invoice]: 'withdrawn' } };
    case 'OwnerReleased':
      return { ...state, released: { ...state.released, [event.data.user_id]: event.data.term } };
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
