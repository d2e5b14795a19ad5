import { isoTime, parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { refuse } from '../../vocabulary/errors';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { CHALLENGE_TTL_MS, challengeText } from './challenge';
import type {
  WalletChallengeIssued,
  WalletChanged,
  WalletDepositAsked,
  WalletEvent,
  WalletRegistered,
} from './wallet.events';
import { checkLabel } from './wallet-registration';

export type SigningChallenge = WalletChallengeIssued['data'];
export type DepositChallenge = WalletDepositAsked['data'];

type Declared = {
  readonly registration: WalletRegistered['data'];
  /** The label and the declaration as they are now. */
  readonly details: WalletChanged['data'];
  readonly changes: number;
};

type PendingWallet = Declared & {
  readonly status: 'pending';
  /** The newest challenge. */
  readonly challenge: SigningChallenge | DepositChallenge | null;
  readonly challengesIssued: number;
  /**
   * All micro-deposits asked for, the newest last. A deposit that was sent in time counts, though another one was asked
   * for since.
   */
  readonly depositIds: readonly string[];
};

export type Wallet = { readonly status: 'none' } | PendingWallet | (Declared & { readonly status: 'verified' });

export type WalletCommand =
  | { readonly type: 'register'; readonly registration: WalletRegistered['data'] }
  | {
      readonly type: 'issue_challenge';
      readonly domain: string;
      readonly walletId: string;
      readonly mode: string;
      readonly nonce: string;
    }
  | { readonly type: 'ask_deposit'; readonly challenge: DepositChallenge }
  /** The wallet's signature of this very challenge was seen. */
  | { readonly type: 'verify'; readonly challenge: string }
  /** The micro-deposit is final. */
  | { readonly type: 'credit_deposit'; readonly depositId: string }
  /** A detail that is left out stays as it is. */
  | { readonly type: 'change'; readonly details: Partial<WalletChanged['data']> };

/** A merchant that needs more challenges than this has a defect; the stream stays readable. */
export const CHALLENGES_LIMIT = 1_000;
/** A merchant who changes a wallet more often has a defect too. */
export const CHANGES_LIMIT = 1_000;

function decide(command: WalletCommand, state: Wallet, { now }: DecisionContext): readonly WalletEvent[] {
  switch (command.type) {
    case 'register':
      if (state.status !== 'none') throw refuse('duplicate_wallet', { param: 'address' });
      return [{ type: 'WalletRegistered', data: command.registration }];
    case 'issue_challenge':
      return decideChallenge(command, pending(state), now);
    case 'ask_deposit': {
      const wallet = pending(state);
      if (freshChallenge(wallet, 'micro_deposit', now)) return [];
      checkCount(wallet);
      return [{ type: 'WalletDepositAsked', data: command.challenge }];
    }
    case 'verify': {
      const { challenge } = signingChallenge(state, now);
      if (challenge !== command.challenge) throw refuse('invalid_challenge_field', { param: 'challenge' });
      return [{ type: 'WalletVerified', data: { method: 'signed_message', verified_at: isoTime(now) } }];
    }
    case 'credit_deposit':
      if (state.status === 'none') throw refuse('wallet_not_found');
      if (state.status === 'verified' || !state.depositIds.includes(command.depositId)) return [];
      return [{ type: 'WalletVerified', data: { method: 'micro_deposit', verified_at: isoTime(now) } }];
    case 'change':
      return decideChange(command, state);
    default:
      return unreachable(command);
  }
}

function decideChange(
  { details }: Extract<WalletCommand, { readonly type: 'change' }>,
  state: Wallet,
): readonly WalletEvent[] {
  if (state.status === 'none') throw refuse('wallet_not_found');
  if (details.label !== undefined) checkLabel(details.label);
  const data = { ...state.details, ...details };
  if (data.label === state.details.label && data.dedicated === state.details.dedicated) return [];
  if (state.changes >= CHANGES_LIMIT) {
    const message = `This wallet has been changed ${CHANGES_LIMIT} times, which is as often as it can be.`;
    throw refuse('invalid_state_transition', { message });
  }
  return [{ type: 'WalletChanged', data }];
}

function decideChallenge(
  { domain, walletId, mode, nonce }: Extract<WalletCommand, { readonly type: 'issue_challenge' }>,
  wallet: PendingWallet,
  now: number,
): readonly WalletEvent[] {
  if (freshChallenge(wallet, 'signed_message', now)) return [];
  checkCount(wallet);
  const { network_id: network, address } = wallet.registration;
  const text = challengeText({ domain, walletId, address, network, mode, nonce, issuedAtMs: now });
  const expiresAt = isoTime(now + CHALLENGE_TTL_MS);
  const data = { method: 'signed_message', challenge: text, nonce, expires_at: expiresAt } as const;
  return [{ type: 'WalletChallengeIssued', data }];
}

/**
 * A new request does not void the challenge that the merchant may be answering just now, as long as there is time to
 * answer it.
 */
export function freshChallenge<Method extends 'signed_message' | 'micro_deposit'>(
  { challenge }: PendingWallet,
  method: Method,
  now: number,
): Extract<NonNullable<PendingWallet['challenge']>, { readonly method: Method }> | null {
  if (challenge === null || challenge.method !== method) return null;
  if (parseIsoTime(challenge.expires_at) - now < CHALLENGE_TTL_MS / 2) return null;
  return challenge as Extract<NonNullable<PendingWallet['challenge']>, { readonly method: Method }>;
}

/** Waiting does not help, so the refusal is none that a client repeats. */
function checkCount({ challengesIssued }: PendingWallet): void {
  if (challengesIssued < CHALLENGES_LIMIT) return;
  const message = `This wallet was given ${CHALLENGES_LIMIT} challenges, which is as many as there can be.`;
  throw refuse('invalid_state_transition', { message });
}

/**
 * The text that can be signed now. Throws Refusal wallet_not_found, invalid_state_transition or
 * invalid_challenge_field.
 */
export function signingChallenge(state: Wallet, now: number): SigningChallenge {
  const { challenge } = pending(state);
  if (challenge?.method !== 'signed_message') throw unanswerable('Ask for a challenge of this method first.');
  if (now >= parseIsoTime(challenge.expires_at)) throw unanswerable('The challenge has lapsed: ask for a new one.');
  return challenge;
}

/** Throws Refusal wallet_not_found, or invalid_state_transition for a verified wallet. */
export function pending(state: Wallet): PendingWallet {
  if (state.status === 'none') throw refuse('wallet_not_found');
  if (state.status === 'verified') {
    throw refuse('invalid_state_transition', { message: 'This wallet is verified already.' });
  }
  return state;
}

export function unanswerable(message: string): Error {
  return refuse('invalid_challenge_field', { param: 'challenge', message });
}

function evolve(state: Wallet, event: WalletEvent): Wallet {
  if (event.type === 'WalletRegistered') {
    const { label } = event.data;
    const declared = { registration: event.data, details: { label, dedicated: false }, changes: 0 };
    return { status: 'pending', ...declared, challenge: null, challengesIssued: 0, depositIds: [] };
  }
  if (state.status !== 'none' && event.type === 'WalletChanged')
    return { ...state, details: event.data, changes: state.changes + 1 };
  if (state.status !== 'pending' || event.type === 'WalletChanged') return state;
  switch (event.type) {
    case 'WalletChallengeIssued':
      return { ...state, challenge: event.data, challengesIssued: state.challengesIssued + 1 };
    case 'WalletDepositAsked': {
      const depositIds = [...state.depositIds, event.data.deposit_id];
      return { ...state, challenge: event.data, challengesIssued: state.challengesIssued + 1, depositIds };
    }
    case 'WalletVerified': {
      const { registration, details, changes } = state;
      return { status: 'verified', registration, details, changes };
    }
    default:
      return unreachable(event);
  }
}

export const wallets: Aggregate<Wallet, WalletCommand, WalletEvent> = {
  category: 'wallet',
  notFound: 'wallet_not_found',
  initial: { status: 'none' },
  decide,
  evolve,
};
