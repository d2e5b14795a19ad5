import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { withCommand, type AccountContext, type PlatformContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import { refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import { commandId } from '../../vocabulary/ids';
import { PORTS } from '../../kernel/ports/injection';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { WritePath } from '../../kernel/write-path';
import { UNBOUNDED } from '../../modules/api-keys/api-key.decider';
import { MintApiKey } from '../../modules/api-keys/commands/mint-api-key.command';
import { SCOPES } from '../../vocabulary/scopes';
import { merchants } from '../../modules/merchants/merchant.decider';
import { checkPassword, Passwords } from '../../modules/users/password';
import { checkedEmail, checkedName, userIdOfEmail } from '../../modules/users/registration';
import { newTotpSecret } from '../../modules/users/totp';
import { emailTaken, users } from '../../modules/users/user.decider';
import { personOf } from '../../modules/users/user.state';

/** The secrets of a new merchant are known this once. */
export type RegisteredMerchant = {
  readonly merchant_id: string;
  readonly user_id: string;
  /** Base32, for an authenticator app. */
  readonly totp_secret: string;
  /** Texts of two secret keys with every scope. */
  readonly keys: Readonly<Record<Mode, string>>;
};

/** A registration: its context has no merchant yet. */
export class RegisterMerchant extends Command<RegisteredMerchant> {
  constructor(
    readonly name: string,
    readonly email: string,
    readonly password: string,
    readonly context: PlatformContext<'platform'>,
  ) {
    super();
  }
}

@CommandHandler(RegisterMerchant)
export class RegisterMerchantHandler implements ICommandHandler<RegisterMerchant> {
  constructor(
    private readonly writePath: WritePath,
    private readonly commands: CommandBus,
    private readonly passwords: Passwords,
    @Inject(PORTS.entropy) private readonly entropy: Entropy,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  /**
   * The user comes last, because its append takes the e-mail address. A crash before that append leaves an account that
   * nobody can enter, and the address free. Throws Refusal parameter_missing or parameter_invalid, naming `name`,
   * `email` or `password`. Throws idempotency_response_unavailable when the same command is run again, since its
   * secrets were shown once.
   */
  async execute({ name, email, password, context }: RegisterMerchant): Promise<RegisteredMerchant> {
    const registration = { type: 'register', name: checkedName(name), email: checkedEmail(email) } as const;
    checkPassword(password);
    const userId = userIdOfEmail(registration.email);
    const idKey = await this.secretBox.deriveKey('ids');
    const merchantId = commandId('mch', context.startedAt, idKey, context.commandId);
    // Account and user are two streams, and no append writes both. So a taken address is refused before there is an
    // account.
    const { state } = await this.writePath.load(users, 'platform', userId);
    if (state.status !== 'none') {
      throw personOf(state)?.merchantId === merchantId ? refuse('idempotency_response_unavailable') : emailTaken();
    }
    const passwordHash = await this.passwords.hash(password, context.ip);
    const own = { ...context, merchantId };
    await this.writePath.execute(merchants, merchantId, registration, own);
    const keys = { test: await this.mint('test', own), live: await this.mint('live', own) };
    const totpSecret = newTotpSecret(this.entropy);
    const user = {
      merchant_id: merchantId,
      email: registration.email,
      password_hash: passwordHash,
      totp_secret_sealed: await this.secretBox.seal(totpSecret, userId, own),
    };
    const command = { type: 'register', user } as const;
    const owned = withCommand(own, 'user');
    const { events } = await this.writePath.executePlan(
      users,
      userId,
      loaded => (loaded.state.status === 'none' ? { command, context: owned } : null),
      owned,
    );
    if (events.length === 0) {
      await this.withdraw(merchantId, own);
      throw emailTaken();
    }
    return { merchant_id: merchantId, user_id: userId, totp_secret: totpSecret, keys };
  }

  private async mint(mode: Mode, own: AccountContext): Promise<string> {
    const terms = { kind: 'sk', name: 'First key', scopes: SCOPES, expiresAt: null };
    const context = { ...withCommand(own, `key-${mode}`), universe: mode };
    return (await this.commands.execute(new MintApiKey(terms, UNBOUNDED, context))).secret;
  }

  /** Closes the account that has no user, since another registration took the address first. */
  private async withdraw(merchantId: string, own: AccountContext): Promise<void> {
    const disable = { type: 'disable', reason: 'registration_refused' } as const;
    await this.writePath.execute(merchants, merchantId, disable, withCommand(own, 'withdraw'));
  }
}
