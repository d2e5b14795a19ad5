import type { ReadModel } from '../../kernel/ports/read-models';
import type { SessionPolicyFacts } from './session-policy.events';

export type SessionPolicyDocument = SessionPolicyFacts & { readonly merchant_id: string; readonly mode: string };

/** Access documents tell of these streams: a policy holds from the next request on. */
export const sessionPoliciesReadModel: ReadModel<SessionPolicyDocument> = {
  name: 'session_policies',
  version: 1,
  indexes: {},
  restates: true,
};
