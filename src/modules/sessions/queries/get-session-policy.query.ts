import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { WritePath } from '../../../kernel/write-path';
import { sessionPolicies } from '../session-policy.decider';
import type { SessionPolicyFacts } from '../session-policy.events';

/** The policy that holds for a merchant's sessions now. */
export class GetSessionPolicy extends Query<SessionPolicyFacts> {
  constructor(readonly merchantId: string) {
    super();
  }
}

@QueryHandler(GetSessionPolicy)
export class GetSessionPolicyHandler implements IQueryHandler<GetSessionPolicy> {
  constructor(private readonly writePath: WritePath) {}

  async execute({ merchantId }: GetSessionPolicy): Promise<SessionPolicyFacts> {
    return (await this.writePath.load(sessionPolicies, 'platform', merchantId)).state;
  }
}
