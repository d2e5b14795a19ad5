/** What one call may set for itself. */
export interface RequestOptions {
  /** 1 to 255 characters; a random one unless given. Goes with every POST, the same in each attempt. */
  readonly idempotencyKey?: string;
  /** The six digits of the authenticator app, for high-risk calls. Each is good for one call. */
  readonly mfaCode?: string;
  /** In place of a code: a proof from `mfaProofs.create` for this very action. */
  readonly mfaProof?: string;
  /** Whose code it is, where several users of the merchant have enrolled: `usr_…`. */
  readonly mfaUser?: string;
  /** `YYYY-MM-DD`; the client's own unless given. */
  readonly apiVersion?: string;
  readonly maxRetries?: number;
  /** For each attempt, in milliseconds. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}
