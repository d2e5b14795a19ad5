import type { DecisionContext } from '../../../src/kernel/decider';
import { CHALLENGE_TTL_MS, challengeText } from '../../../src/modules/wallets/challenge';
import { CHALLENGES_LIMIT, wallets, type WalletCommand } from '../../../src/modules/wallets/wallet.decider';
import type { WalletEvent } from '../../../src/modules/wallets/wallet.events';
import { given } from '../../support/given-when-then';

const NOW = Date.parse('2026-11-01T12:00:00.000Z');
const MINUTE_MS = 60_000;
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

function at(now: number): DecisionContext {
  return { actor: { role: 'merchant', type: 'api_key', id: 'key_1' }, now };
}

const registration = { network_id: 'base', address: ADDRESS, label: 'Till', controls_private_key: true } as const;
const registered: WalletEvent = { type: 'WalletRegistered', data: registration };
const issue = {
  type: 'issue_challenge',
  method: 'signed_message',
  domain: 'pay.example',
  walletId: 'wal_1',
  mode: 'test',
  nonce: 'ab12',
} as const;
const text = [
  'pay.example asks you to prove that you control this wallet.',
  'Signing costs nothing and moves no funds.',
  '',
  'Wallet: wal_1',
  `Address: ${ADDRESS}`,
  'Network: base',
  'Mode: test',
  'Nonce: ab12',
  'Issued at: 2026-11-01T12:00:00.000Z',
  'Expires at: 2026-11-01T12:30:00.000Z',
].join('\n');
const issued: WalletEvent = {
  type: 'WalletChallengeIssued',
  data: { method: 'signed_message', challenge: text, nonce: 'ab12', expires_at: '2026-11-01T12:30:00.000Z' },
};
const verify: WalletCommand = { type: 'verify', method: 'signed_message', challenge: text };
const verified: WalletEvent = {
  type: 'WalletVerified',
  data: { method: 'signed_message', verified_at: '2026-11-01T12:00:00.000Z' },
};

describe('a wallet', () => {
  it('is registered once', () => {
    given(wallets, []).when({ type: 'register', registration }, at(NOW)).then([registered]);
    given(wallets, [registered]).when({ type: 'register', registration }, at(NOW)).thenRefused('duplicate_wallet');
    given(wallets, [registered, issued, verified])
      .when({ type: 'register', registration }, at(NOW))
      .thenRefused('duplicate_wallet');
  });

  it('is given a challenge that says who asks, for what and until when', () => {
    given(wallets, [registered]).when(issue, at(NOW)).then([issued]);
    given(wallets, []).when(issue, at(NOW)).thenRefused('wallet_not_found');
    given(wallets, [registered, issued, verified]).when(issue, at(NOW)).thenRefused('invalid_state_transition');
  });

  it('keeps a challenge that can still be signed, and replaces one that runs out', () => {
    given(wallets, [registered, issued])
      .when({ ...issue, nonce: 'cd34' }, at(NOW + 15 * MINUTE_MS))
      .then([]);
    const later = NOW + 15 * MINUTE_MS + 1;
    const facts = {
      domain: 'pay.example',
      walletId: 'wal_1',
      address: ADDRESS,
      network: 'base',
      mode: 'test',
    } as const;
    const challenge = challengeText({ ...facts, nonce: 'cd34', issuedAtMs: later });
    const data = {
      method: 'signed_message',
      challenge,
      nonce: 'cd34',
      expires_at: '2026-11-01T12:45:00.001Z',
    } as const;
    given(wallets, [registered, issued])
      .when({ ...issue, nonce: 'cd34' }, at(later))
      .then([{ type: 'WalletChallengeIssued', data }]);
  });

  it('is verified by the challenge that stands, until it lapses', () => {
    given(wallets, [registered, issued]).when(verify, at(NOW)).then([verified]);
    const lapsed = at(NOW + CHALLENGE_TTL_MS);
    given(wallets, [registered, issued]).when(verify, lapsed).thenRefused('invalid_challenge_field');
    given(wallets, [registered]).when(verify, at(NOW)).thenRefused('invalid_challenge_field');
    given(wallets, []).when(verify, at(NOW)).thenRefused('wallet_not_found');
    given(wallets, [registered, issued, verified]).when(verify, at(NOW)).thenRefused('invalid_state_transition');
  });

  it('is verified neither by another text nor by another method', () => {
    const edited: WalletCommand = { ...verify, challenge: `${text} ` };
    given(wallets, [registered, issued]).when(edited, at(NOW)).thenRefused('invalid_challenge_field');
    const deposited: WalletCommand = { ...verify, method: 'micro_deposit' };
    given(wallets, [registered, issued]).when(deposited, at(NOW)).thenRefused('invalid_challenge_field');
  });

  it('is given no more challenges than its stream can hold', () => {
    const many = Array.from({ length: CHALLENGES_LIMIT }, () => issued);
    given(wallets, [registered, ...many])
      .when(issue, at(NOW + CHALLENGE_TTL_MS))
      .thenRefused('rate_limit');
  });
});

it('is a challenge of printable ASCII and line feeds', () => {
  expect(text).toMatch(/^[\x20-\x7e\n]+$/);
});
