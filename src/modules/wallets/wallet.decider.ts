import { isoTime, parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { refuse } from '../../kernel/errors';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { CHALLENGE_TTL_MS, challengeText } from './challenge';
import type { VerificationMethod, WalletChallengeIssued, WalletEvent, WalletRegistered } from './wallet.events';

export type Challenge = WalletChallengeIssued['data'];

export type Wallet =
  | { readonly status: 'none' }
  | {
      readonly status: 'pending';
      readonly registration: WalletRegistered['data'];
      readonly challenge: Challenge | null;
      readonly challengesIssued: number;
    }
  | { readonly status: 'verified'; readonly registration: WalletRegistered['data'] };

export type WalletCommand =
  | { readonly type: 'register'; readonly registration: WalletRegistered['data'] }
  | {
      readonly type: 'issue_challenge';
      readonly method: VerificationMethod;
      readonly domain: string;
      readonly walletId: string;
      readonly mode: string;
      readonly nonce: string;
    }
  /** The method's proof of control over the wallet was seen, given for this very challenge. */
  | { readonly type: 'verify'; readonly method: VerificationMethod; readonly challenge: string };

/** A merchant that needs more than this has a defect; the stream stays readable. */
export const CHALLENGES_LIMIT = 1_000;

function decide(command: WalletCommand, state: Wallet, context: DecisionContext): readonly WalletEvent[] {
  switch (command.type) {
    case 'register':
      if (state.status !== 'none') throw refuse('duplicate_wallet', { param: 'address' });
      return [{ type: 'WalletRegistered', data: command.registration }];
    case 'issue_challenge':
      return decideChallenge(command, state, context.now);
    case 'verify': {
      const { challenge } = standingChallenge(state, command.method, context.now);
      if (challenge !== command.challenge) throw refuse('invalid_challenge_field', { param: 'challenge' });
      const verifiedAt = isoTime(context.now);
      return [{ type: 'WalletVerified', data: { method: command.method, verified_at: verifiedAt } }];
    }
    default:
      return unreachable(command);
  }
}

function decideChallenge(
  command: Extract<WalletCommand, { readonly type: 'issue_challenge' }>,
  state: Wallet,
  now: number,
): readonly WalletEvent[] {
  const { registration, challenge, challengesIssued } = pending(state);
  // Asking again doesn't void what the merchant may be signing just now, as long as there is time to sign it.
  const fresh = challenge !== null && parseIsoTime(challenge.expires_at) - now >= CHALLENGE_TTL_MS / 2;
  if (fresh && challenge.method === command.method) return [];
  if (challengesIssued >= CHALLENGES_LIMIT) throw refuse('rate_limit');
  const { network_id: network, address } = registration;
  const { method, domain, walletId, mode, nonce } = command;
  const text = challengeText({ domain, walletId, address, network, mode, nonce, issuedAtMs: now });
  const expiresAt = isoTime(now + CHALLENGE_TTL_MS);
  return [{ type: 'WalletChallengeIssued', data: { method, challenge: text, nonce, expires_at: expiresAt } }];
}

/** The challenge that can be answered now. Throws Refusal wallet_not_found, invalid_state_transition or invalid_challenge_field. */
export function standingChallenge(state: Wallet, method: VerificationMethod, now: number): Challenge {
  const { challenge } = pending(state);
  if (challenge === null || challenge.method !== method) {
    throw unanswerable('Ask for a challenge of this method first.');
  }
  if (now >= parseIsoTime(challenge.expires_at)) throw unanswerable('The challenge has lapsed: ask for a new one.');
  return challenge;
}

function pending(state: Wallet): Extract<Wallet, { readonly status: 'pending' }> {
  if (state.status === 'none') throw refuse('wallet_not_found');
  if (state.status === 'verified') {
    throw refuse('invalid_state_transition', { message: 'This wallet is verified already.' });
  }
  return state;
}

function unanswerable(message: string): Error {
  return refuse('invalid_challenge_field', { param: 'challenge', message });
}

function evolve(state: Wallet, event: WalletEvent): Wallet {
  if (event.type === 'WalletRegistered') {
    return { status: 'pending', registration: event.data, challenge: null, challengesIssued: 0 };
  }
  if (state.status !== 'pending') return state;
  switch (event.type) {
    case 'WalletChallengeIssued':
      return { ...state, challenge: event.data, challengesIssued: state.challengesIssued + 1 };
    case 'WalletVerified':
      return { status: 'verified', registration: state.registration };
    default:
      return unreachable(event);
  }
}

export const wallets: Aggregate<Wallet, WalletCommand, WalletEvent> = {
  category: 'wallet',
  missing: 'wallet_not_found',
  initial: { status: 'none' },
  decide,
  evolve,
};
