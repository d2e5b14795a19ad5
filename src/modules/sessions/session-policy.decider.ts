import type { Aggregate } from '../../kernel/write-path';
import { checkedSessionPolicy, DEFAULT_SESSION_POLICY } from './session-policy';
import type { SessionPolicyFacts, SessionPolicySet } from './session-policy.events';

type PolicyCommand = { readonly type: 'set'; readonly policy: SessionPolicyFacts };

function decide({ policy }: PolicyCommand, state: SessionPolicyFacts): readonly SessionPolicySet[] {
  const wanted = checkedSessionPolicy(policy);
  const isSame =
    wanted.idle_minutes === state.idle_minutes &&
    wanted.absolute_minutes === state.absolute_minutes &&
    wanted.pin_ip === state.pin_ip;
  return isSame ? [] : [{ type: 'SessionPolicySet', data: wanted }];
}

/** The policy of a merchant's sessions; the stream's id is the merchant's. */
export const sessionPolicies: Aggregate<SessionPolicyFacts, PolicyCommand, SessionPolicySet> = {
  category: 'session_policy',
  // The stream's id is the merchant's own, so nobody can ask for another merchant's stream.
  notFound: null,
  initial: DEFAULT_SESSION_POLICY,
  restates: true,
  decide,
  evolve: (_, { data }) => data,
};
