export type SessionPolicyFacts = {
  readonly idle_minutes: number;
  readonly absolute_minutes: number;
  /** Whether a session is taken from its own address alone: an IPv4 address, or an IPv6 network of 64 bits. */
  readonly pin_ip: boolean;
};

/** Each change tells the whole policy. */
export type SessionPolicySet = { readonly type: 'SessionPolicySet'; readonly data: SessionPolicyFacts };
