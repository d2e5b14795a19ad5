import type { ErrorCode } from '../../src/vocabulary/errors';

/** Codes with which no part of the service refuses, so that no call can have them for an answer, and the reasons. */
export type Unreached = { readonly why: string; readonly codes: readonly ErrorCode[] };

// prettier-ignore
export const UNREACHED: readonly Unreached[] = [
  {
    why: 'The types of a command and its context leave no room for it: who acts, for whom and in which mode is always there.',
    codes: ['missing_principal'],
  },
  {
    why: 'These are constants of the code, one for each token, code and quote, and nothing sets them.',
    codes: [
      'invalid_ttl', 'invalid_step', 'invalid_spacing', 'invalid_grace_window', 'invalid_totp_digits',
      'invalid_totp_time_step', 'invalid_totp_time', 'invalid_totp_window',
    ],
  },
  {
    why: 'Contract, chain id and receiving address of a quote are the service\'s own, checked before they are stored; no call names them.',
    codes: ['invalid_token_contract', 'missing_chain_id', 'invalid_wallet_address', 'verification_invariant'],
  },
  {
    why: "Names are resolved by the machine's own resolver.",
    codes: ['egress_resolver_required'],
  },
  {
    why: 'Work is handed out by the event store, to groups and by time; there are no jobs with ids and intervals.',
    codes: ['duplicate_job', 'invalid_job', 'invalid_job_interval'],
  },
];
