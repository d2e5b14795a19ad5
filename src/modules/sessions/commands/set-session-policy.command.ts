import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { sessionPolicies } from '../session-policy.decider';
import type { SessionPolicyFacts } from '../session-policy.events';

/** Holds for open sessions too, from the next request on. Throws Refusal invalid_session_policy, naming the field. */
export class SetSessionPolicy extends Command<void> {
  constructor(
    readonly policy: SessionPolicyFacts,
    readonly context: AccountContext,
  ) {
    super();
  }
}

@CommandHandler(SetSessionPolicy)
export class SetSessionPolicyHandler implements ICommandHandler<SetSessionPolicy> {
  constructor(private readonly writePath: WritePath) {}

  async execute({ policy, context }: SetSessionPolicy): Promise<void> {
    await this.writePath.execute(sessionPolicies, context.merchantId, { type: 'set', policy }, context);
  }
}
