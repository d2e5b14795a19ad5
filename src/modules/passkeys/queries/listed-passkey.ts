/** All times are ISO-8601 UTC; null for a passkey that was never used. */
export type ListedPasskey = {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly last_used_at: string | null;
};
