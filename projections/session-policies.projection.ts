import { streamId, type Projection } from '../src/kernel/projection';
import type { SessionPolicySet } from '../src/modules/sessions/session-policy.events';
import {
  sessionPoliciesReadModel,
  type SessionPolicyDocument,
} from '../src/modules/sessions/session-policies.read-model';

export const sessionPoliciesProjection: Projection<SessionPolicyDocument, SessionPolicySet> = {
  ...sessionPoliciesReadModel,
  categories: ['session_policy'],
  mirrors: true,
  key: streamId,
  on: {
    SessionPolicySet: (_, event): SessionPolicyDocument => ({
      merchant_id: streamId(event),
      mode: event.metadata.mode,
      ...event.data,
    }),
  },
};
