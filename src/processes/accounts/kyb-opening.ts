import type { CommandBus } from '@nestjs/cqrs';
import type { AccountContext } from '../../kernel/command-context';
import { BeginKyb } from '../../modules/kyb/commands/kyb-case.command';
import type { AccountOpening, OpenedAccount } from './account-opening';

/** A new account is verified before live mode takes its payments. Accounts made by the operator have no case. */
export class KybOpening implements AccountOpening {
  constructor(private readonly commands: CommandBus) {}

  async open(_: OpenedAccount, context: AccountContext): Promise<void> {
    await this.commands.execute(new BeginKyb(context));
  }
}
