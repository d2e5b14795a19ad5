import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { parseIsoTime } from '../../kernel/clock';
import { withCommand, type AccountContext } from '../../kernel/command-context';
import { eventsOfCommand } from '../../kernel/loaded';
import { PORTS } from '../../kernel/ports/injection';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { WritePath } from '../../kernel/write-path';
import { BeginKyb } from '../../modules/kyb/commands/kyb-case.command';
import { merchants } from '../../modules/merchants/merchant.decider';
import { OpenAccount } from '../../modules/users/commands/sign-up.command';
import { deadLink, MailedTokens } from '../../modules/users/mailed-tokens';
import { checkPassword, Passwords } from '../../modules/users/password';
import { contextOfPerson, type LoadedUser } from '../../modules/users/user-writes';
import { users } from '../../modules/users/user.decider';
import { accountOf, type User } from '../../modules/users/user.state';
import { commandId } from '../../vocabulary/ids';

type Opened = { readonly merchantId: string; readonly userId: string };

@CommandHandler(OpenAccount)
export class OpenAccountHandler implements ICommandHandler<OpenAccount> {
  constructor(
    private readonly writePath: WritePath,
    private readonly tokens: MailedTokens,
    private readonly passwords: Passwords,
    private readonly commands: CommandBus,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  /**
   * The account's id follows from the token. So any use of the link continues where a crash has stopped another one.
   * The user's stream takes the address at the end, and lets one use through.
   */
  async execute({ token, password, context }: OpenAccount): Promise<Opened> {
    checkPassword(password);
    const found = await this.tokens.find('sign_up', token, context.commandId);
    const { user_id: userId, email, matter } = found;
    const startedAt = parseIsoTime(found.made_at);
    const merchantId = commandId('mch', startedAt, await this.secretBox.deriveKey('ids'), found.id);
    const own = contextOfPerson(context, 'merchant', userId, merchantId);
    const known = await this.userBefore(userId, own);
    const password_hash = await this.passwords.hash(password, context.ip);
    const registration = { type: 'register', name: matter.business, email } as const;
    const register = ({ state }: { readonly state: { readonly status: string } }) =>
      state.status === 'none' ? { command: registration, context: own } : null;
    await this.writePath.executePlan(merchants, merchantId, register, own);
    // A new account is verified before live mode takes its payments. Accounts made by the operator have no case.
    await this.commands.execute(new BeginKyb(own));
    const user = { merchant_id: merchantId, email, name: matter.name, password_hash };
    const signUp = { type: 'sign_up', user } as const;
    const { state, events } = await this.writePath.executePlan(
      users,
      userId,
      loaded => (accountOf(loaded.state) === null ? { command: signUp, context: own } : null),
      own,
      { known },
    );
    if (events.length === 0) return this.refuseTaken(state, own);
    await this.tokens.spend(found, context.commandId);
    await this.tokens.end('sign_up', userId);
    return { merchantId, userId };
  }

  /**
   * The user as read before the account is made, since account and user are two streams. Refuses a taken address,
   * unless this very command has taken it.
   */
  private async userBefore(userId: string, own: AccountContext): Promise<LoadedUser> {
    const user = await this.writePath.load(users, 'platform', userId);
    if (!accountOf(user.state) || eventsOfCommand(user, own.commandId).length > 0) return user;
    return this.refuseTaken(user.state, own);
  }

  /** Closes an account that was made for a user who has another one. Throws the refusal of a dead link. */
  private async refuseTaken(user: User, own: AccountContext): Promise<never> {
    const { merchantId } = own;
    if (accountOf(user)?.merchantId === merchantId) throw deadLink();
    const command = { type: 'disable', reason: 'registration_refused' } as const;
    const context = withCommand(own, 'withdraw');
    const disable = ({ state }: { readonly state: { readonly status: string } }) =>
      state.status === 'none' ? null : { command, context };
    await this.writePath.executePlan(merchants, merchantId, disable, context);
    throw deadLink();
  }
}
