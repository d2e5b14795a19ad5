import type { OptionNames } from './known-options';

/** The options of one call. */
export interface RequestOptions {
  /** 1 to 255 characters; by default random. The key goes with every POST, the same in each attempt. */
  readonly idempotencyKey?: string;
  /** The six digits of the authenticator app, for high-risk calls. A code serves one call. */
  readonly mfaCode?: string;
  /** A proof from `mfaProofs.create` for this very action, in place of a code. */
  readonly mfaProof?: string;
  /** The user of the code, where several users of the merchant have enrolled: `usr_…`. */
  readonly mfaUser?: string;
  /** `YYYY-MM-DD`; by default the client's own. */
  readonly apiVersion?: string;
  readonly maxRetries?: number;
  /** The limit for each attempt, in milliseconds. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export const REQUEST_OPTIONS: OptionNames<RequestOptions> = {
  idempotencyKey: true,
  mfaCode: true,
  mfaProof: true,
  mfaUser: true,
  apiVersion: true,
  maxRetries: true,
  timeoutMs: true,
  signal: true,
};
