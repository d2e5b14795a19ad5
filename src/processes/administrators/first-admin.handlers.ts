import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { PORTS } from '../../kernel/ports/injection';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { AdminWrites } from '../../modules/admins/admin-writes';
import { BootstrapAdmin, CreateAdmin } from '../../modules/admins/commands/manage-admins.command';
import { checkPassword, Passwords } from '../../modules/users/password';
import { checkedEmail } from '../../modules/users/registration';
import { refuse } from '../../vocabulary/errors';
import { AdminOwners } from './admin-owners';

@CommandHandler(CreateAdmin)
export class CreateAdminHandler implements ICommandHandler<CreateAdmin> {
  constructor(
    private readonly admins: AdminWrites,
    private readonly owners: AdminOwners,
    private readonly passwords: Passwords,
  ) {}

  async execute({ email: typed, password, context }: CreateAdmin): Promise<{ readonly adminId: string }> {
    const email = checkedEmail(typed);
    checkPassword(password);
    if (await this.owners.haveFourEyes()) throw refuse('second_approval_required');
    const adminId = this.admins.idOfEmail(email);
    const admin = { email, role: 'owner', password_hash: await this.passwords.hash(password, context.ip) } as const;
    await this.admins.execute(adminId, { type: 'create', admin }, context);
    await this.owners.begin(adminId, context);
    return { adminId };
  }
}

@CommandHandler(BootstrapAdmin)
export class BootstrapAdminHandler implements ICommandHandler<BootstrapAdmin> {
  constructor(
    private readonly admins: AdminWrites,
    private readonly owners: AdminOwners,
    private readonly passwords: Passwords,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  /** Of several processes that start at once, one makes the owner: their commands have one id. */
  async execute(command: BootstrapAdmin): Promise<{ readonly adminId: string }> {
    const { password, totpSecret, context } = command;
    const email = checkedEmail(command.email);
    checkPassword(password);
    const adminId = this.admins.idOfEmail(email);
    const admin = {
      email,
      password_hash: await this.passwords.hash(password, context.ip),
      totp_secret_sealed: await this.secretBox.seal(totpSecret, adminId, context),
    };
    await this.admins.execute(adminId, { type: 'bootstrap', admin }, context);
    await this.owners.begin(adminId, context);
    return { adminId };
  }
}
