import { isoTime, MINUTE_MS, parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { timeToLive } from '../../vocabulary/durations';
import { refuse } from '../../vocabulary/errors';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import type {
  MicroDepositDropped,
  MicroDepositEvent,
  MicroDepositReserved,
  MicroDepositSeen,
} from './micro-deposit.events';

export const MICRO_DEPOSIT_TTL_MS = timeToLive(30 * MINUTE_MS);
/** The greatest lag of a chain's clock behind the service's, before a deposit seems older than its request. */
export const CHAIN_CLOCK_SKEW_MS = 2 * MINUTE_MS;

export type DepositRequest = MicroDepositReserved['data'];
export type Deposit = MicroDepositSeen['data'];

type MicroDeposit =
  | { readonly status: 'free' }
  | { readonly status: 'open'; readonly request: DepositRequest }
  | { readonly status: 'seen' | 'credited'; readonly request: DepositRequest; readonly deposit: Deposit };

export type MicroDepositCommand =
  | { readonly type: 'reserve'; readonly request: Omit<DepositRequest, 'reserved_at' | 'expires_at'> }
  | { readonly type: 'release'; readonly walletId: string }
  /** `sentAtMs`: the block's time; on a local chain the clock's time at first sight. */
  | { readonly type: 'see'; readonly deposit: Deposit; readonly to: string; readonly sentAtMs: number }
  | { readonly type: 'drop'; readonly blockHash: string; readonly reason: MicroDepositDropped['data']['reason'] }
  | { readonly type: 'credit'; readonly blockHash: string };

function decide(
  command: MicroDepositCommand,
  state: MicroDeposit,
  { now }: DecisionContext,
): readonly MicroDepositEvent[] {
  switch (command.type) {
    case 'reserve': {
      if (isTaken(state, now)) throw refuse('reservation_capacity_exhausted');
      const times = { reserved_at: isoTime(now), expires_at: isoTime(now + MICRO_DEPOSIT_TTL_MS) };
      return [{ type: 'MicroDepositReserved', data: { ...command.request, ...times } }];
    }
    case 'release':
      if (state.status !== 'open' || state.request.wallet_id !== command.walletId) return [];
      return [{ type: 'MicroDepositReleased', data: { wallet_id: command.walletId } }];
    case 'see':
      return meets(command, state) ? [{ type: 'MicroDepositSeen', data: command.deposit }] : [];
    case 'drop': {
      if (state.status !== 'seen' || state.deposit.block_hash !== command.blockHash) return [];
      return [{ type: 'MicroDepositDropped', data: { block_hash: command.blockHash, reason: command.reason } }];
    }
    case 'credit': {
      if (state.status !== 'seen' || state.deposit.block_hash !== command.blockHash) return [];
      const { tx_hash, ordinal, block_hash } = state.deposit;
      return [{ type: 'MicroDepositCredited', data: { tx_hash, ordinal, block_hash } }];
    }
    default:
      return unreachable(command);
  }
}

/** The amount is taken until no late transfer can be mistaken for one of the next request. */
function isTaken(state: MicroDeposit, now: number): boolean {
  if (state.status === 'free') return false;
  return state.status === 'seen' || now < parseIsoTime(state.request.expires_at) + CHAIN_CLOCK_SKEW_MS;
}

/**
 * True for a transfer sent in time for the standing request, and for the seen transfer after a reorganisation has moved
 * it.
 */
function meets({ deposit, to, sentAtMs }: Extract<MicroDepositCommand, { type: 'see' }>, state: MicroDeposit): boolean {
  switch (state.status) {
    case 'free':
    case 'credited':
      return false;
    case 'open': {
      const { request } = state;
      const inTime =
        sentAtMs >= parseIsoTime(request.reserved_at) - CHAIN_CLOCK_SKEW_MS &&
        sentAtMs <= parseIsoTime(request.expires_at);
      return inTime && request.to === to;
    }
    case 'seen':
      return isSameTransfer(state.deposit, deposit) && state.deposit.block_hash !== deposit.block_hash;
    default:
      return unreachable(state);
  }
}

/** Whether the transfer is the one that met the request. */
export function isDepositOf(state: MicroDeposit, deposit: Deposit): boolean {
  return (state.status === 'seen' || state.status === 'credited') && isSameTransfer(state.deposit, deposit);
}

function isSameTransfer(one: Deposit, other: Deposit): boolean {
  return one.tx_hash === other.tx_hash && one.ordinal === other.ordinal;
}

function evolve(state: MicroDeposit, event: MicroDepositEvent): MicroDeposit {
  if (event.type === 'MicroDepositReserved') return { status: 'open', request: event.data };
  if (state.status === 'free') return state;
  const { request } = state;
  switch (event.type) {
    case 'MicroDepositSeen':
      return { status: 'seen', request, deposit: event.data };
    case 'MicroDepositDropped':
      return { status: 'open', request };
    case 'MicroDepositCredited':
      return state.status === 'seen' ? { ...state, status: 'credited' } : state;
    case 'MicroDepositReleased':
      return { status: 'free' };
    default:
      return unreachable(event);
  }
}

export const microDeposits: Aggregate<MicroDeposit, MicroDepositCommand, MicroDepositEvent> = {
  category: 'micro_deposit',
  // The stream's id names no merchant: two may prove one address, each by another amount.
  notFound: null,
  initial: { status: 'free' },
  decide,
  evolve,
};
