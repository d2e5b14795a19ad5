import type { DecisionContext } from '../../../src/kernel/decider';
import { CHALLENGE_TTL_MS, challengeText } from '../../../src/modules/wallets/challenge';
import {
  CHALLENGES_LIMIT,
  CHANGES_LIMIT,
  wallets,
  type WalletCommand,
} from '../../../src/modules/wallets/wallet.decider';
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
const verify: WalletCommand = { type: 'verify', challenge: text };
const deposit = {
  method: 'micro_deposit',
  deposit_id: 'base:0x1:usdc-base:1234',
  address: '0x2',
  token_id: 'usdc-base',
  amount_base_units: '1234',
  expires_at: '2026-11-01T12:30:00.000Z',
} as const;
const asked: WalletEvent = { type: 'WalletDepositAsked', data: deposit };
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
    const edited: WalletCommand = { type: 'verify', challenge: `${text} ` };
    given(wallets, [registered, issued]).when(edited, at(NOW)).thenRefused('invalid_challenge_field');
    given(wallets, [registered, issued, asked]).when(verify, at(NOW)).thenRefused('invalid_challenge_field');
  });

  it('is asked for one micro-deposit at a time, as long as there is time to send it', () => {
    const ask: WalletCommand = {
      type: 'ask_deposit',
      challenge: { ...deposit, deposit_id: 'base:0x1:usdc-base:4321' },
    };
    const askedAnew: WalletEvent = { type: 'WalletDepositAsked', data: ask.challenge };
    given(wallets, [registered, issued]).when({ type: 'ask_deposit', challenge: deposit }, at(NOW)).then([asked]);
    given(wallets, [registered, asked])
      .when(ask, at(NOW + 15 * MINUTE_MS))
      .then([]);
    given(wallets, [registered, asked])
      .when(ask, at(NOW + 15 * MINUTE_MS + 1))
      .then([askedAnew]);
    given(wallets, []).when(ask, at(NOW)).thenRefused('wallet_not_found');
    given(wallets, [registered, issued, verified]).when(ask, at(NOW)).thenRefused('invalid_state_transition');
  });

  it('is verified by any micro-deposit that it asked for, and by no other', () => {
    const credit: WalletCommand = { type: 'credit_deposit', depositId: deposit.deposit_id };
    const proven: WalletEvent = {
      type: 'WalletVerified',
      data: { method: 'micro_deposit', verified_at: '2026-11-01T12:00:00.000Z' },
    };
    const another: WalletEvent = { type: 'WalletDepositAsked', data: { ...deposit, deposit_id: 'another' } };
    given(wallets, [registered, asked]).when(credit, at(NOW)).then([proven]);
    given(wallets, [registered, asked, another, issued]).when(credit, at(NOW)).then([proven]);
    given(wallets, [registered, another]).when(credit, at(NOW)).then([]);
    given(wallets, [registered, asked, proven]).when(credit, at(NOW)).then([]);
    given(wallets, []).when(credit, at(NOW)).thenRefused('wallet_not_found');
  });

  it('is given no more challenges than its stream can hold', () => {
    const many = Array.from({ length: CHALLENGES_LIMIT }, () => issued);
    given(wallets, [registered, ...many])
      .when(issue, at(NOW + CHALLENGE_TTL_MS))
      .thenRefused('invalid_state_transition');
  });
});

it('is a challenge of printable ASCII and line feeds', () => {
  expect(text).toMatch(/^[\x20-\x7e\n]+$/);
});

describe('the details of a wallet', () => {
  const changed = (label: string, dedicated: boolean): WalletEvent => ({
    type: 'WalletChanged',
    data: { label, dedicated },
  });
  const change = (details: Extract<WalletCommand, { readonly type: 'change' }>['details']): WalletCommand => ({
    type: 'change',
    details,
  });

  it.each([
    ['pending', [registered]],
    ['verified', [registered, issued, verified]],
  ])('change one by one: %s', (_, history) => {
    given(wallets, history)
      .when(change({ dedicated: true }), at(NOW))
      .then([changed('Till', true)]);
    given(wallets, [...history, changed('Till', true)])
      .when(change({ label: 'Web shop' }), at(NOW))
      .then([changed('Web shop', true)]);
  });

  it('stay as they are where nothing is new, and after the verification', () => {
    given(wallets, [registered])
      .when(change({ label: 'Till', dedicated: false }), at(NOW))
      .then([]);
    given(wallets, [registered, issued, changed('Web shop', true), verified])
      .when(change({ dedicated: true }), at(NOW))
      .then([]);
  });

  it.each(['', '  ', 'Till\u0007', 'Till\n2', 'T'.repeat(101)])('are refused for the label %j', label => {
    given(wallets, [registered]).when(change({ label }), at(NOW)).thenRefused('parameter_invalid');
  });

  it('are refused for a wallet that does not exist, and after very many changes', () => {
    given(wallets, [])
      .when(change({ dedicated: true }), at(NOW))
      .thenRefused('wallet_not_found');
    const many = Array.from({ length: CHANGES_LIMIT }, (_, index) => changed(`Till ${index}`, false));
    given(wallets, [registered, ...many])
      .when(change({ dedicated: true }), at(NOW))
      .thenRefused('invalid_state_transition');
  });
});
